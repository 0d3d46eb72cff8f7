package quota

// maxPaces is how many users are told apart within a minute: inventing more must not fill the memory.
const maxPaces = 10_000
