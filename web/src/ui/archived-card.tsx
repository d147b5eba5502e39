import type { ComponentProps } from 'react'
import type { useChange } from './change.ts'
import { useFormats } from './format.ts'
import { Button } from './kit.ts'
import { Listed } from './list.tsx'
import { Card } from './parts.tsx'
import { Table } from './table.tsx'

type Archived = { readonly id: string; readonly name: string; readonly archivedAt: string | null }

type Props<Row extends Archived> = {
  readonly texts: {
    readonly archived: string
    readonly name: string
    readonly archivedAt: string
    readonly restore: string
  }
  readonly list: Omit<ComponentProps<typeof Listed<Row>>, 'empty' | 'children'>['list']
  /** Restores one by its id; null for people who may only read. */
  readonly restore: Pick<
    ReturnType<typeof useChange<string, unknown>>,
    'isPending' | 'variables' | 'mutate'
  > | null
  /** The text below the name, for names that are not enough. */
  readonly below?: (row: Row) => string
  /** Whether something else has to be restored first. */
  readonly isHeld?: (row: Row) => boolean
}

/** Archived objects, each of which can be restored; renders nothing if there are none. */
export function ArchivedCard<Row extends Archived>(props: Props<Row>) {
  const { texts, list, restore, below, isHeld } = props
  const { date } = useFormats()
  if ((list.rows ?? []).length === 0) return null
  return (
    <Card title={texts.archived} flush>
      <Listed list={list} empty={null}>
        {(rows) => (
          <Table
            caption={texts.archived}
            rows={rows}
            rowKey={({ id }) => id}
            columns={[
              {
                head: texts.name,
                cell: (row) => (
                  <>
                    {row.name}
                    {below ? <span className="sub block">{below(row)}</span> : null}
                  </>
                ),
              },
              {
                ...{ head: texts.archivedAt, small: 'sub' },
                cell: ({ archivedAt }) => (archivedAt ? date(archivedAt) : null),
              },
              {
                ...{ head: texts.restore, silent: true, right: true, small: 'second' },
                cell: (row) =>
                  restore && !isHeld?.(row) ? (
                    <Button
                      size="compact-sm"
                      variant="default"
                      loading={restore.isPending && restore.variables === row.id}
                      aria-label={`${texts.restore}: ${row.name}`}
                      onClick={() => restore.mutate(row.id)}
                    >
                      {texts.restore}
                    </Button>
                  ) : null,
              },
            ]}
          />
        )}
      </Listed>
    </Card>
  )
}
