import type { components } from '@moorage/client'
import { lazy, Suspense, useState } from 'react'
import type { Intent } from '../../api/actions.ts'
import { useAdminTexts } from '../../texts/admin.tsx'
import { IconAction } from '../icon-action.tsx'
import * as I from '../icons.ts'
import { Button } from '../kit.ts'

// Most visits of a list change nothing in bulk.
const BulkDialog = lazy(async () => ({ default: (await import('./bulk-dialog.tsx')).BulkDialog }))

type BulkResult = components['schemas']['BulkResult']
type Answer = Promise<{ data?: BulkResult; error?: unknown; response: Response }>

/** Up to this many objects take part in one bulk operation of the API. */
export const MOST_SELECTED = 100

export type BulkAction<Name extends string> = {
  readonly action: Name
  /** What the button does, as a verb. */
  readonly verb: string
  /** The consequence for each object. */
  readonly text: string
  readonly isDangerous?: boolean
  /** A reason can be given, under this label. */
  readonly reason?: string
  /** A number of days and the reason are required, under these labels. */
  readonly days?: string
  /** A gateway and the reference of a payment are required. */
  readonly payment?: true
}

export type Body<Name extends string> = {
  readonly action: Name
  readonly ids: string[]
  readonly dryRun: boolean
  readonly reason?: string
  readonly days?: number
  readonly gatewayId?: string
  readonly reference?: string
}

/** What can be done to several rows of a list at once, by the bulk operation of the API. */
export type Bulk<Row, Name extends string = string> = {
  readonly actions: readonly BulkAction<Name>[]
  // Methods, because the lazy dialog knows neither the type of the rows nor the names of the actions.
  nameOf(row: Row): string
  call(body: Body<Name>, intent?: Intent): Answer
  /** Keys of the queries to invalidate. */
  readonly changes: readonly (readonly unknown[])[]
}

export type BarProps<Row, Name extends string> = {
  readonly bulk: Bulk<Row, Name>
  readonly rows: readonly Row[]
  readonly clear: () => void
}

/** The actions for the selected rows, each with a dialog: first what would happen, then the result of each row. */
export function BulkActions<Row extends { readonly id: string }, Name extends string>(
  props: BarProps<Row, Name>,
) {
  const { bulk, rows, clear } = props
  const { lists } = useAdminTexts()
  // The rows of the dialog stay while the list is loaded again.
  const [asked, ask] = useState<{ action: BulkAction<Name>; rows: readonly Row[] } | null>(null)
  return (
    <>
      {rows.length > 0 ? (
        <section className="bulkbar" aria-label={lists.selection}>
          <span className="num">{lists.selected(rows.length)}</span>
          {bulk.actions.map((action) => (
            <Button
              key={action.action}
              {...(action.isDangerous && { color: 'red', variant: 'light' })}
              onClick={() => ask({ action, rows })}
            >
              {action.verb}
            </Button>
          ))}
          <IconAction label={lists.clearSelection} icon={I.X} onClick={clear} />
        </section>
      ) : null}
      {asked ? (
        <Suspense fallback={null}>
          <BulkDialog {...asked} {...{ bulk, clear }} close={() => ask(null)} />
        </Suspense>
      ) : null}
    </>
  )
}

type ButtonProps<Row, Name extends string> = {
  readonly bulk: Bulk<Row, Name>
  readonly action: BulkAction<Name>
  readonly rows: readonly Row[]
  readonly label: string
}

/** A button that opens the dialog of one action for all of these rows, which are 100 at most. */
export function BulkButton<Row extends { readonly id: string }, Name extends string>(
  props: ButtonProps<Row, Name>,
) {
  const { bulk, action, rows, label } = props
  // The rows of the dialog stay while the list is loaded again.
  const [asked, ask] = useState<readonly Row[] | null>(null)
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => ask(rows)}>
        {label}
      </Button>
      {asked ? (
        <Suspense fallback={null}>
          <BulkDialog {...{ bulk, action }} rows={asked} clear={() => {}} close={() => ask(null)} />
        </Suspense>
      ) : null}
    </>
  )
}
