import { type ReactNode, Suspense, useRef, useState } from 'react'
import { offerFile } from '../../api/downloads.ts'
import { type List, MOST_COUNTED } from '../../api/lists.ts'
import { useAdminTexts } from '../../texts/admin.tsx'
import { ActionMenu } from '../action-menu.tsx'
import { useFormats } from '../format.ts'
import * as I from '../icons.ts'
import { Button, Checkbox } from '../kit.ts'
import { Listed } from '../list.tsx'
import { Empty } from '../states.tsx'
import { type Column, Table } from '../table.tsx'
import { useListAddress } from './address.ts'
import { type Bulk, BulkActions, MOST_SELECTED } from './bulk.tsx'
import { useHiddenColumns } from './columns.ts'
import { csvOf } from './csv.ts'
import { ListTools } from './filters.tsx'
import { useRowKeys } from './keys.ts'
import { NewsButton } from './news.tsx'
import { type ViewScreen, ViewsButton } from './views-button.tsx'

export type DataColumn<Row> = Column<Row> & {
  readonly id: string
  /** The value in the CSV; without it, the column is not in the CSV. */
  readonly value?: (row: Row) => string | number | null
  /** Hidden until the reader asks for it. */
  readonly optional?: boolean
}

/** Every row of a list has an id. */
type Known = { readonly id: string }
const idOf = ({ id }: Known) => id

type DataListProps<Row extends Known, Name extends string> = {
  /** The name of the list, for the CSV file and the stored columns. */
  readonly name: string
  readonly caption: string
  readonly list: List<Row>
  readonly columns: readonly DataColumn<Row>[]
  readonly filters?: ReactNode
  /** The name of the list in the API: staff can save views of it. */
  readonly views?: ViewScreen
  /** Shown if the list is empty without any filter. */
  readonly empty: ReactNode
  /** The actions for the selected rows. Without it, rows cannot be selected. */
  readonly bulk?: Bulk<Row, Name>
}

/** A list of the administration: filters, columns, CSV, selection, pages; its state is in the URL. */
export function DataList<Row extends Known, Name extends string = string>(
  props: DataListProps<Row, Name>,
) {
  const { name, caption, list, columns, filters, views, empty, bulk } = props
  const { lists } = useAdminTexts()
  const { isFiltered } = useListAddress()
  const [chosen, choose] = useState<readonly string[]>([])
  const { hidden, hide, toggle } = useHiddenColumns(
    name,
    columns.flatMap((it) => (it.optional ? [it.id] : [])),
  )
  const box = useRef<HTMLDivElement>(null)
  useRowKeys(box)
  const rows = list.rows ?? []
  const shown = columns.filter(({ id }) => !hidden.includes(id))
  const all = allOf(rows, { chosen, choose })
  const selecting = bulk ? [checkColumn<Row>(all, { chosen, choose }, lists)] : []
  const selected = rows.filter((row) => chosen.includes(row.id))
  return (
    <>
      <ListTools
        right={
          <>
            {views ? <ViewsButton screen={views} {...{ hidden, hide }} /> : null}
            <ColumnMenu {...{ columns, hidden, toggle }} />
            <CsvButton {...{ name, rows, columns: shown }} />
          </>
        }
      >
        {filters}
      </ListTools>
      {list.news === undefined ? null : (
        <div role="status" className="news">
          <Suspense>{list.news ? <NewsButton news={list.news} /> : null}</Suspense>
        </div>
      )}
      <div className="card" ref={box}>
        {bulk && rows.length > 0 ? (
          <Checkbox className="sm-only" label={lists.selectAll} {...all} />
        ) : null}
        <Listed list={list} empty={isFiltered ? <NoMatch /> : empty}>
          {(loaded) => (
            <Table
              links
              {...{ caption, rows: loaded }}
              rowKey={idOf}
              columns={[...selecting, ...shown]}
            />
          )}
        </Listed>
        <Count shown={rows.length} hasMore={list.hasMore} total={list.total} />
      </div>
      {bulk ? <BulkActions bulk={bulk} rows={selected} clear={() => choose([])} /> : null}
    </>
  )
}

type Choosing = {
  readonly chosen: readonly string[]
  readonly choose: (chosen: readonly string[]) => void
}
type ListTexts = ReturnType<typeof useAdminTexts>['lists']

/** The checkbox that selects all rows, up to the limit of one bulk operation. */
function allOf(rows: readonly Known[], { chosen, choose }: Choosing) {
  const selectable = rows.slice(0, MOST_SELECTED).map(idOf)
  const selected = selectable.filter((id) => chosen.includes(id)).length
  const areAll = selected > 0 && selectable.length === selected
  return {
    checked: areAll,
    indeterminate: !areAll && selected > 0,
    onChange: () => choose(areAll ? [] : selectable),
  }
}

function checkColumn<Row extends Known>(
  all: ReturnType<typeof allOf>,
  { chosen, choose }: Choosing,
  lists: ListTexts,
): Column<Row> {
  return {
    head: lists.select,
    headCell: (
      <>
        <i className="sr">{lists.select}</i>
        <Checkbox className="sm-gone" aria-label={lists.selectAll} {...all} />
      </>
    ),
    small: 'check',
    cell: ({ id: key }) => {
      const isChosen = chosen.includes(key)
      return (
        <Checkbox
          className="above"
          aria-label={lists.select}
          checked={isChosen}
          disabled={!isChosen && chosen.length >= MOST_SELECTED}
          onChange={() => choose(isChosen ? chosen.filter((it) => it !== key) : [...chosen, key])}
        />
      )
    },
  }
}

type MenuProps<Row> = {
  readonly columns: readonly DataColumn<Row>[]
  readonly hidden: readonly string[]
  readonly toggle: (id: string) => void
}

function ColumnMenu<Row>({ columns, hidden, toggle }: MenuProps<Row>) {
  const { lists } = useAdminTexts()
  // The first one is the link to the row.
  const others = columns.slice(1)
  return (
    <ActionMenu
      width={220}
      isChecklist
      target={
        <Button
          className="sm-gone"
          variant="default"
          leftSection={<I.Columns size={16} stroke={1.75} aria-hidden />}
        >
          {lists.columns}
        </Button>
      }
      entries={others.map(({ id, head }) => ({
        ...{ key: id, label: head, isOn: !hidden.includes(id) },
        choose: () => toggle(id),
      }))}
    />
  )
}

type CsvProps<Row> = {
  readonly name: string
  readonly rows: readonly Row[]
  readonly columns: readonly DataColumn<Row>[]
}

/** The visible rows and columns as a CSV file. */
function CsvButton<Row>({ name, rows, columns }: CsvProps<Row>) {
  const { lists } = useAdminTexts()
  const written = columns.flatMap(({ head, value }) => (value ? [{ head, value }] : []))
  if (written.length === 0) return null
  const save = () => {
    const cells = rows.map((row) => written.map(({ value }) => value(row)))
    offerFile(`${name}.csv`, csvOf([written.map(({ head }) => head), ...cells]))
  }
  return (
    <Button
      variant="default"
      leftSection={<I.Download size={16} stroke={1.75} aria-hidden />}
      title={lists.csvHint}
      disabled={rows.length === 0}
      onClick={save}
    >
      CSV
    </Button>
  )
}

type CountProps = {
  readonly shown: number
  readonly hasMore: boolean
  readonly total: number | null
}

function Count({ shown, hasMore, total }: CountProps) {
  const { lists } = useAdminTexts()
  const { number } = useFormats()
  if (shown === 0) return null
  const ofTotal = (of: number) =>
    lists.shownOf(number(shown), of < MOST_COUNTED ? number(of) : lists.atLeast(number(of)))
  const more = total === null ? lists.shownOfMore(shown) : ofTotal(total)
  return (
    <div className="pager foot" role="status">
      <span className="num">{hasMore ? more : lists.shown(shown)}</span>
    </div>
  )
}

/** The empty state with filters, with a button to clear them. */
function NoMatch() {
  const { lists } = useAdminTexts()
  const { clear } = useListAddress()
  return (
    <Empty
      icon={I.Filter}
      title={lists.noMatch}
      action={
        <Button variant="default" onClick={clear}>
          {lists.clearFilters}
        </Button>
      }
    />
  )
}
