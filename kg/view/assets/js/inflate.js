/* The data that the file carries: plain JSON, or zlib's format in base64. */
kg.unpack = async (id) => {
  const element = kg.$(id);
  const text = element.textContent;
  if (element.type === "application/json") return JSON.parse(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  element.remove();
  if (typeof DecompressionStream === "undefined") return JSON.parse(new TextDecoder().decode(fflate.unzlibSync(bytes)));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
};
