package quota

// maxPaces is how many users are counted separately within a minute, so that invented users cannot fill the memory.
const maxPaces = 10_000
