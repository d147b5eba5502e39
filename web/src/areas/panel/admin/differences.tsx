import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { nodes } from '../../../api/admin-reads.ts'
import { client } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  Card,
  type Column,
  Confirm,
  Empty,
  I,
  Loaded,
  Notice,
  Page,
  Select,
  Table,
  told,
  useChange,
  useFormats,
  useListAddress,
} from '../../../ui/index.ts'
import { Adopt } from './adopt.tsx'
import { drift } from './reads.ts'

type Drift = components['schemas']['Drift']
type Finding = Drift['data'][number]
type Kind = Finding['kind']
type Repairable = Exclude<Kind, 'unknown'>

const AGAIN_MS = 2000

/** Differences between a panel and the services, and the repair of each kind. */
export function Differences() {
  const { panels } = useAdminTexts()
  const texts = panels.drift
  const may = useMay()
  const { search, set } = useListAddress()
  const list = useQuery({ ...nodes, enabled: may('nodes:read') })
  const known = list.data?.data ?? []
  const nodeId = search.node ?? known[0]?.id
  return (
    <Page
      title={texts.title}
      sub={texts.sub}
      actions={
        known.length > 1 ? (
          <Select
            aria-label={texts.panel}
            allowDeselect={false}
            value={nodeId ?? null}
            data={known.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(node) => set({ node: node ?? undefined })}
          />
        ) : null
      }
    >
      {nodeId ? (
        <Compared key={nodeId} nodeId={nodeId} />
      ) : (
        <Card>
          <Empty icon={I.Plug} title={panels.none}>
            {panels.noneText}
          </Empty>
        </Card>
      )}
    </Page>
  )
}

function Compared({ nodeId }: { nodeId: string }) {
  const { panels } = useAdminTexts()
  const texts = panels.drift
  const { ago } = useFormats()
  const mayWrite = useMay()('services:write')
  const query = useQuery({
    ...drift(nodeId),
    // A comparison or a repair is running in the background.
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? AGAIN_MS : false),
  })
  const compare = useChange(
    (id: string, intent) =>
      client.POST('/v1/admin/nodes/{id}/drift', { params: { path: { id } }, ...intent }),
    {
      changes: [['drift', nodeId]],
    },
  )
  const running = isUnderWay(query.data) || compare.isPending
  const button = mayWrite ? (
    <Button loading={running} onClick={() => compare.mutate(nodeId)}>
      {texts.compare}
    </Button>
  ) : null
  return (
    <Loaded query={query}>
      {({ report, data }) =>
        report === null ? (
          <Card>
            <Empty icon={I.GitCompare} title={texts.never} action={button}>
              {texts.neverText}
            </Empty>
          </Card>
        ) : (
          <div className="stack s24">
            {report.lastError ? (
              <Notice tone="failed" title={texts.failed}>
                {report.lastError.detail}
              </Notice>
            ) : null}
            <div className="row between wrap">
              <p className="dim" role="status">
                {report.finishedAt
                  ? texts.agreeText(report.servers, ago(report.finishedAt))
                  : texts.comparing}
              </p>
              {button}
            </div>
            {data.length === 0 && report.finishedAt && !report.lastError ? (
              <Card>
                <Empty icon={I.CircleCheck} title={texts.agree} />
              </Card>
            ) : null}
            {kindsIn(data).map((kind) => (
              <KindCard
                key={kind}
                {...{ kind, nodeId, mayWrite }}
                findings={data.filter((it) => it.kind === kind)}
                count={report.counts[kind]}
              />
            ))}
          </div>
        )
      }
    </Loaded>
  )
}

function isUnderWay(data: Drift | undefined): boolean {
  if (!data?.report) return false
  const waits = data.data.some((it) => it.repairWantedAt && !it.repairedAt && !it.repairError)
  return (data.report.finishedAt === null && data.report.lastError === null) || waits
}

function kindsIn(findings: readonly Finding[]): readonly Kind[] {
  return [...new Set(findings.map(({ kind }) => kind))]
}

type KindProps = {
  readonly kind: Kind
  readonly nodeId: string
  readonly findings: readonly Finding[]
  readonly count: number
  readonly mayWrite: boolean
}

function KindCard({ kind, nodeId, findings, count, mayWrite }: KindProps) {
  const { panels } = useAdminTexts()
  const texts = panels.drift
  const [asking, ask] = useState<readonly Finding[] | 'all' | null>(null)
  const [adopting, adopt] = useState<Finding | null>(null)
  const repair = useChange(
    (wanted: { kind: Repairable; findingIds?: string[] }, intent) =>
      client.POST('/v1/admin/nodes/{id}/drift/repair', {
        params: { path: { id: nodeId } },
        body: wanted,
        ...intent,
      }),
    {
      changes: [['drift', nodeId]],
      done: ({ queued }) => {
        ask(null)
        told(texts.repairQueued(queued))
      },
    },
  )
  const run = () => {
    if (kind === 'unknown' || asking === null) return
    const ids = asking === 'all' ? null : asking.map(({ id }) => id)
    repair.mutate({ kind, ...(ids && { findingIds: ids }) })
  }
  // A server without a service is deleted only after an individual confirmation.
  const isNamed = kind === 'orphan'
  const [one] = Array.isArray(asking) ? asking : []
  return (
    <Card
      title={`${texts.kinds[kind]} (${count})`}
      right={
        mayWrite && kind !== 'unknown' && !isNamed ? (
          <Button size="compact-sm" variant="default" onClick={() => ask('all')}>
            {texts.repairAll(count)}
          </Button>
        ) : null
      }
      flush
    >
      <p className="sub pad">{texts.kindTexts[kind]}</p>
      <Table
        caption={texts.kinds[kind]}
        rows={findings}
        rowKey={({ id }) => id}
        columns={useColumns({ mayWrite, kind, repair: (it) => ask([it]), adopt })}
      />
      <Confirm
        opened={asking !== null}
        close={() => ask(null)}
        title={
          isNamed && one
            ? texts.deletesTitle(nameOf(one))
            : texts.repairTitle(asking === 'all' ? count : 1, texts.kinds[kind])
        }
        action={texts.repair}
        run={run}
        isRunning={repair.isPending}
        isDangerous={isNamed}
      >
        {isNamed ? texts.deletesText : texts.kindTexts[kind]}
      </Confirm>
      {adopting ? (
        <Adopt
          nodeId={nodeId}
          server={{ id: adopting.serverId ?? 0, name: nameOf(adopting) }}
          close={() => adopt(null)}
        />
      ) : null}
    </Card>
  )
}

const nameOf = ({ serverName, serverId, externalId }: Finding) =>
  serverName ?? externalId ?? String(serverId ?? '–')

type ColumnsProps = {
  readonly mayWrite: boolean
  readonly kind: Kind
  readonly repair: (finding: Finding) => void
  readonly adopt: (finding: Finding) => void
}

function useColumns({ mayWrite, kind, repair, adopt }: ColumnsProps): readonly Column<Finding>[] {
  const { panels } = useAdminTexts()
  const texts = panels.drift
  return [
    {
      head: texts.server,
      cell: (it) =>
        it.serviceId ? <a href={`/admin/servers/${it.serviceId}`}>{nameOf(it)}</a> : nameOf(it),
    },
    { head: texts.expected, small: 'sub', cell: ({ expected }) => <Values values={expected} /> },
    { head: texts.found, small: 'sub', cell: ({ found }) => <Values values={found} /> },
    {
      ...{ head: texts.repair, silent: true, right: true, small: 'second' },
      cell: (it) => {
        if (it.repairedAt) return texts.repaired
        if (it.repairError) return <span className="sub">{it.repairError.detail}</span>
        if (it.repairWantedAt) return texts.repairing
        if (!mayWrite) return null
        const isUnknown = kind === 'unknown'
        const label = isUnknown ? texts.adopt : texts.repair
        return (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`${label}: ${nameOf(it)}`}
            onClick={() => (isUnknown ? adopt(it) : repair(it))}
          >
            {label}
          </Button>
        )
      },
    },
  ]
}

function Values({ values }: { values: Finding['expected'] }) {
  if (values === null) return '–'
  return (
    <span className="mono">
      {Object.entries(values)
        .map(([name, value]) => `${name} ${String(value)}`)
        .join(', ')}
    </span>
  )
}
