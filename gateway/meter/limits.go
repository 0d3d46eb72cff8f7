package meter

// maxNames is how many tools of one server have a label of their own: each label is a time series for ever.
const maxNames = 200
