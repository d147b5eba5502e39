import type { components } from '@moorage/client'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Card, type Column, I, Notice, Table, useFormats } from '../../../ui/index.ts'

type Report = components['schemas']['ImportReport']
type Row = Report['resources'][string] & { readonly name: string }

/** The report of an import: differences first, then the next steps, then each resource. */
export function ImportReport({ report }: { report: Report }) {
  const { imports: texts } = useAdminTexts()
  const { number } = useFormats()
  const rows: readonly Row[] = Object.entries(report.resources).map(([name, it]) => ({
    ...it,
    name,
  }))
  const count = (
    id: 'read' | 'imported' | 'merged' | 'skipped' | 'failed',
    small: 'hide' | 'second',
  ): Column<Row> => ({
    ...{ head: texts[id], right: true, small },
    cell: (row) => number(row[id]),
  })
  const columns: readonly Column<Row>[] = [
    { head: texts.resource, cell: ({ name }) => <span className="strong">{words(name)}</span> },
    count('read', 'hide'),
    count('imported', 'second'),
    count('merged', 'hide'),
    count('skipped', 'hide'),
    count('failed', 'hide'),
  ]
  const { source, differences, actionsNeeded, warnings, missingTables } = report
  return (
    <>
      {differences.length > 0 ? (
        <Notice tone="failed" title={texts.differences}>
          <ul>
            {differences.map((it) => (
              <li key={it}>{it}</li>
            ))}
          </ul>
        </Notice>
      ) : (
        <Notice tone="active" title={texts.noDifferences}>
          {texts.from(texts.sources[source.system], source.version)}
        </Notice>
      )}
      {missingTables.length > 0 ? (
        <Notice tone="attention" title={texts.missingTables}>
          <span className="mono">{missingTables.join(', ')}</span>
        </Notice>
      ) : null}
      {actionsNeeded.length > 0 ? (
        <Card title={texts.actions}>
          <ul>
            {actionsNeeded.map((it) => (
              <li key={it} className="check">
                <span className="box" aria-hidden />
                <span className="grow">{it}</span>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
      <Card title={texts.report} flush>
        <Table caption={texts.report} rows={rows} columns={columns} rowKey={({ name }) => name} />
      </Card>
      <Reasons rows={rows} />
      {warnings.length > 0 ? (
        <Card title={texts.warnings}>
          <ul className="stack s8">
            {warnings.map(({ code, table, count: times }) => (
              <li key={code + table} className="row">
                <I.InfoCircle size={16} stroke={1.75} aria-hidden className="icon dim" />
                {words(code)} · <span className="mono">{table}</span> · {number(times)}
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
    </>
  )
}

function Reasons({ rows }: { rows: readonly Row[] }) {
  const { imports: texts } = useAdminTexts()
  const { number } = useFormats()
  const reasons = rows.flatMap(({ name, reasons: all }) => all.map((it) => ({ ...it, name })))
  if (reasons.length === 0) return null
  return (
    <Card title={texts.reasons}>
      <ul className="stack s8">
        {reasons.map(({ name, code, outcome, count }) => (
          <li key={name + code + outcome} className="row between">
            <span>
              {words(name)}: {words(code)}
            </span>
            <span className="num">{number(count)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Names of tables and codes, as words. */
function words(name: string): string {
  return name
    .replaceAll(/[_-]/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
}
