"""From mentions to entities: within one paper, then across all of them."""
