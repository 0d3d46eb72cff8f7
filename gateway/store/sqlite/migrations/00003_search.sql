-- +goose Up
-- The text of a run that has ended, under the run's number, for searching: three letters at a time, so that any part of a word is
-- found. Only the index is kept; the text is in the events.
CREATE VIRTUAL TABLE texts USING fts5(text, content='', contentless_delete=1, tokenize='trigram');

ALTER TABLE runs ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;

CREATE INDEX runs_unindexed ON runs (number) WHERE indexed = 0;

-- +goose StatementBegin
CREATE TRIGGER run_deleted AFTER DELETE ON runs WHEN OLD.indexed BEGIN
    DELETE FROM texts WHERE rowid = OLD.number;
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER run_deleted;
DROP INDEX runs_unindexed;
ALTER TABLE runs DROP COLUMN indexed;
DROP TABLE texts;
