"""Games on embedded mail servers: the demo, and `pbem play`."""
