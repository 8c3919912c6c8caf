import type { Field, Row, StatementResult } from './backend.ts'

/** Describe's answer as both clients' parsers give it; one writes the text format as 0, the other as 'text'. */
export type RawField = Omit<Field, 'format'>

export type Collector = {
  results: StatementResult[]
  rowDescription: (fields: readonly RawField[]) => void
  dataRow: (row: Row) => void
  /** Ends a statement; an empty query has the tag ''. */
  complete: (tag: string) => void
}

/** Gathers the backend messages of a sequence into one result per statement. */
export const createCollector = (): Collector => {
  const results: StatementResult[] = []
  let fields: readonly Field[] = []
  let rows: Row[] = []
  return {
    results,
    rowDescription: (raw) => {
      fields = raw.map(({ name, tableID, columnID, dataTypeID, dataTypeSize, dataTypeModifier }) => ({
        name,
        tableID,
        columnID,
        dataTypeID,
        dataTypeSize,
        dataTypeModifier,
        format: 'text',
      }))
    },
    dataRow: (row) => {
      rows.push(row)
    },
    complete: (tag) => {
      results.push({ fields, rows, tag })
      fields = []
      rows = []
    },
  }
}
