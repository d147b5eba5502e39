type BulkCounts = { readonly done: number; readonly unchanged: number; readonly failed: number }

export const lists = {
  any: 'Any',
  chosen: (label: string, value: string) => `${label}: ${value}`,
  dates: 'Dates',
  from: 'From',
  to: 'To',
  columns: 'Columns',
  csvHint: 'The rows and columns on the screen',
  select: 'Select',
  selectAll: 'Select all rows shown, up to 100',
  selection: 'Selection',
  selected: (count: number) => `${count} selected`,
  clearSelection: 'Clear the selection',
  bulkTitle: (verb: string, count: number) =>
    count === 1 ? `${verb}: 1 item` : `${verb}: ${count} items`,
  bulkRun: (verb: string, count: number) => `${verb} (${count})`,
  bulkCheck: 'Show the result first',
  bulkTrying: 'Checking each item. Nothing has been done yet.',
  bulkWould: ({ done, unchanged, failed }: BulkCounts) =>
    `Nothing has been done yet. Possible: ${done}, no change: ${unchanged}, refused: ${failed}.`,
  bulkDone: ({ done, unchanged, failed }: BulkCounts) =>
    `Done: ${done}, no change: ${unchanged}, refused: ${failed}.`,
  bulkRows: 'Result of each item',
  bulkObject: 'Item',
  bulkOutcome: 'Result',
  bulkWhy: 'Reason',
  wouldBe: { done: 'Possible', unchanged: 'No change', failed: 'Refused' },
  was: { done: 'Done', unchanged: 'No change', failed: 'Refused' },
  noMatch: 'Nothing matches these filters',
  clearFilters: 'Clear filters',
  shown: (count: number) => (count === 1 ? '1 entry' : `${count} entries`),
  shownOfMore: (count: number) => `${count} shown, there are more`,
  unsaved: 'Unsaved changes',
  discard: 'Discard',
}
