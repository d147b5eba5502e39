import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { partOf } from '../../../api/actions.ts'
import { boot } from '../../../api/boot.ts'
import { client } from '../../../api/client.ts'
import { saveFile } from '../../../api/downloads.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { loadReportTexts } from '../../../texts/import-report.ts'
import {
  Button,
  Card,
  ConfirmButton,
  Loaded,
  Loading,
  Meter,
  Notice,
  Page,
  SegmentedControl,
  Tag,
  useFormats,
  useListAddress,
} from '../../../ui/index.ts'
import {
  hasWritten,
  IMPORT_TONES,
  type Import,
  importRead,
  isUnderWay,
  reconciliationsRead,
} from './reads.ts'
import type { Report } from './report.tsx'

const AGAIN_MS = 1000

/** Loads the words of a report with the part of the screen that shows them. */
const reporting = async () => {
  const [parts, words] = await Promise.all([import('./report.tsx'), loadReportTexts(boot.locale)])
  return { parts, words }
}
// Loaded when they are opened: together they exceed the weight of a screen.
const cutOver = () => import('./cut-over.tsx')
const following = () => import('./following.tsx')
const StartImport = lazy(async () => ({ default: (await import('./start.tsx')).StartImport }))
const NextSteps = lazy(async () => ({ default: (await import('./steps.tsx')).NextSteps }))
const ImportReport = lazy(async () => {
  const { parts, words } = await reporting()
  const Words = ({ report }: { report: Report }) => parts.ImportReport({ report, words })
  return { default: Words }
})
const Fault = lazy(async () => {
  const { parts, words } = await reporting()
  const Words = ({ import: it }: { import: Import }) => parts.Fault({ import: it, words })
  return { default: Words }
})
const Decisions = lazy(async () => ({ default: (await cutOver()).Decisions }))
const RenewalPreview = lazy(async () => ({ default: (await cutOver()).RenewalPreview }))
const DumpChanges = lazy(async () => ({ default: (await following()).DumpChanges }))
const Reconciliations = lazy(async () => ({ default: (await following()).Reconciliations }))

export function ImportPage() {
  const { id = '' } = useParams({ strict: false })
  const query = useQuery({
    ...importRead(id),
    refetchInterval: ({ state }) =>
      state.data && isUnderWay(state.data.status) ? AGAIN_MS : false,
  })
  return (
    <Loaded isScreen query={query}>
      {(it) => <Shown import={it} />}
    </Loaded>
  )
}

/** One import: its progress, its report, and the next steps. */
function Shown({ import: it }: { import: Import }) {
  const { imports: texts } = useAdminTexts()
  const { moment, fileSize } = useFormats()
  const may = useMay()
  const [starting, start] = useState<'real' | 'another' | null>(null)
  const ended = !isUnderWay(it.status)
  const begun = useQuery({ ...reconciliationsRead(it.id), enabled: hasWritten(it) }).data
  const hasBegun = (begun?.data.length ?? 0) > 0
  return (
    <Page
      title={it.file.name}
      head={
        <header className="page-head">
          <div>
            <div className="row gap12 wrap">
              <h1>{it.file.name}</h1>
              <Tag tone={IMPORT_TONES[it.status]}>{texts.statuses[it.status]}</Tag>
              {it.dryRun ? <Tag tone="ended">{texts.dryRun}</Tag> : null}
            </div>
            <div className="sub">
              {fileSize(it.file.bytes)} · {moment(it.createdAt)}
            </div>
          </div>
          <div className="actions">
            {ended && it.report ? <Rows id={it.id} /> : null}
            {may('imports:write') ? (
              <>
                {ended || it.status === 'undoing' ? null : <Cancel id={it.id} />}
                {hasWritten(it) && !hasBegun ? <Undo id={it.id} /> : null}
                {ended && it.dryRun && it.report ? (
                  <Button onClick={() => start('real')}>{texts.reallyImport}</Button>
                ) : null}
                {ended && !it.report ? (
                  <Button onClick={() => start('another')}>{texts.another}</Button>
                ) : null}
              </>
            ) : null}
          </div>
        </header>
      }
    >
      <div className="stack s24">
        {ended || it.status === 'undoing' ? null : <Progress import={it} />}
        {it.fault ? (
          <Suspense fallback={null}>
            <Fault import={it} />
          </Suspense>
        ) : null}
        {it.undoFailure ? (
          <Notice tone="failed" title={texts.notUndone}>
            {it.undoFailure.message}
          </Notice>
        ) : null}
        {hasWritten(it) && ended ? (
          <Suspense fallback={null}>
            <NextSteps import={it} />
          </Suspense>
        ) : null}
        {it.report && ended ? <Views import={it} report={it.report} /> : null}
      </div>
      {starting ? (
        <Suspense fallback={null}>
          <StartImport checked={starting === 'real' ? it.file : null} close={() => start(null)} />
        </Suspense>
      ) : null}
    </Page>
  )
}

type ViewProps = { readonly import: Import; readonly report: Report }
type View = 'report' | 'decisions' | 'preview' | 'changes' | 'reconciliation'

/** The report, the steps before renewals start, and the comparisons. */
function Views({ import: it, report }: ViewProps) {
  const { imports: texts } = useAdminTexts()
  const { search, set } = useListAddress()
  const views: readonly View[] = hasWritten(it)
    ? ['report', 'decisions', 'preview', 'changes', 'reconciliation']
    : ['report', 'changes']
  const view = views.find((name) => name === search.view) ?? 'report'
  return (
    <>
      <div className="hscroll">
        <SegmentedControl
          aria-label={texts.views.label}
          value={view}
          data={views.map((value) => ({ value, label: texts.views[value] }))}
          onChange={(value) => set({ view: value === 'report' ? undefined : value })}
        />
      </div>
      <Suspense fallback={<Loading />}>
        {view === 'report' ? <ImportReport report={report} /> : null}
        {view === 'decisions' ? <Decisions id={it.id} /> : null}
        {view === 'preview' ? <RenewalPreview id={it.id} /> : null}
        {view === 'changes' ? <DumpChanges id={it.id} /> : null}
        {view === 'reconciliation' ? <Reconciliations id={it.id} /> : null}
      </Suspense>
    </>
  )
}

function Progress({ import: { progress } }: { import: Import }) {
  const { imports: texts } = useAdminTexts()
  const { number } = useFormats()
  const { phase, rows, rowsTotal, bytes, bytesTotal, secondsLeft } = progress
  const ratio = rowsTotal ? rows / rowsTotal : bytesTotal ? bytes / bytesTotal : 0
  return (
    <Card title={texts.phases[phase]}>
      <div className="stack s8" role="status">
        <Meter ratio={Math.min(ratio, 0.89)} label={texts.phases[phase]} />
        <p className="dim">
          {texts.rows(number(rows), rowsTotal ? number(rowsTotal) : null)}
          {secondsLeft ? ` · ${texts.left(texts.seconds(secondsLeft))}` : ''}
        </p>
      </div>
    </Card>
  )
}

function Rows({ id }: { id: string }) {
  const { imports: texts } = useAdminTexts()
  const save = () =>
    void saveFile(
      `import-${id}.csv`,
      client.GET('/v1/admin/imports/{id}/rows', { params: { path: { id } }, parseAs: 'blob' }),
    )
  return (
    <Button variant="default" onClick={save}>
      {texts.downloadRows}
    </Button>
  )
}

function Cancel({ id }: { id: string }) {
  const { imports: texts } = useAdminTexts()
  return (
    <ConfirmButton
      isDangerous
      variant="default"
      verb={texts.cancel}
      title={texts.cancelTitle}
      call={(_, intent) =>
        client.POST('/v1/admin/imports/{id}/cancel', { params: { path: { id } }, ...intent })
      }
      changes={[['imports']]}
      told={texts.canceled}
    >
      {texts.cancelText}
    </ConfirmButton>
  )
}

function Undo({ id }: { id: string }) {
  const { imports: texts } = useAdminTexts()
  return (
    <ConfirmButton
      isDangerous
      variant="default"
      verb={texts.undo}
      title={texts.undoTitle}
      call={async (_, intent) => {
        const params = { path: { id } }
        const dryRun = { params, body: { dryRun: true }, ...partOf(intent, 'dry-run') }
        const asked = await client.POST('/v1/admin/imports/{id}/undo', dryRun)
        const blocked = blockersOf(texts, asked.data?.obstacles ?? [])
        if (blocked) throw new Error(texts.undoBlocked(blocked))
        return client.POST('/v1/admin/imports/{id}/undo', { params, ...intent })
      }}
      changes={[['imports']]}
      told={texts.undoBegun}
    >
      {texts.undoText}
    </ConfirmButton>
  )
}

type Obstacle = { readonly code: string; readonly count: number }

/** What uses the records of an import, in the words of the page: `orders (3), invoices (2)`. */
function blockersOf(
  texts: ReturnType<typeof useAdminTexts>['imports'],
  obstacles: readonly Obstacle[],
): string {
  const counts = new Map<string, number>()
  for (const { code, count } of obstacles) {
    const name = texts.obstacles[code] ?? texts.otherObstacles
    counts.set(name, (counts.get(name) ?? 0) + count)
  }
  return [...counts].map(([name, count]) => `${name} (${count})`).join(', ')
}
