"""Functions of one float: what zeroin decides within seconds, against runs of all 2^32 inputs."""
