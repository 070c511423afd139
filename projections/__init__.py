"""Read models, one file each: rows derived from events, rebuildable from the first event on."""
