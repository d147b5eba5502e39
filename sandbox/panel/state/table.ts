type Row = { id: number }

/** A table as it is kept outside: its rows, and the last number it gave. */
export type KeptTable = { lastId: number; rows: Row[] }

/** Rows of one kind, numbered from 1 in the order of their making, as a database would. */
export class Table<R extends Row> {
  readonly #rows = new Map<number, R>()
  #lastId = 0

  get size(): number {
    return this.#rows.size
  }

  insert(values: Omit<R, 'id'>): R {
    this.#lastId += 1
    const row = { ...values, id: this.#lastId } as R
    this.#rows.set(row.id, row)
    return row
  }

  find(id: number): R | undefined {
    return this.#rows.get(id)
  }

  /** The row with this id. Throws when there is none: it was referred to, so it must be there. */
  get(id: number): R {
    const row = this.#rows.get(id)
    if (!row) throw new Error(`No row ${id}`)
    return row
  }

  all(): R[] {
    return [...this.#rows.values()]
  }

  where(matches: (row: R) => boolean): R[] {
    const found: R[] = []
    for (const row of this.#rows.values()) if (matches(row)) found.push(row)
    return found
  }

  first(matches: (row: R) => boolean): R | undefined {
    for (const row of this.#rows.values()) if (matches(row)) return row
    return undefined
  }

  delete(id: number): void {
    this.#rows.delete(id)
  }

  keep(): KeptTable {
    return { lastId: this.#lastId, rows: this.all() }
  }

  /** Takes kept rows in place of its own. */
  restore({ lastId, rows }: KeptTable): void {
    this.#rows.clear()
    for (const row of rows) this.#rows.set(row.id, row as R)
    this.#lastId = lastId
  }
}
