import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { client } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  Card,
  Facts,
  I,
  LinkButton,
  Loaded,
  Page,
  RemoveButton,
  Tag,
  useFormats,
} from '../../../ui/index.ts'
import { ConnectionForm, ConnectionTestCard, SyncEggs, useConnectionTest } from './connection.tsx'
import { drift, eggs, node as nodeRead, type PanelNode } from './reads.ts'
import { Room } from './room.tsx'
import { UnownedServers } from './servers.tsx'
import { NODE_TONES } from './status.ts'
import { DaemonTokens } from './tokens.tsx'

export function Panel() {
  const { id = '' } = useParams({ strict: false })
  return (
    <Loaded isScreen query={useQuery(nodeRead(id))}>
      {(it) => <Shown node={it} />}
    </Loaded>
  )
}

/** One panel: its connection, its test, its games, and the daemons that report. */
function Shown({ node }: { node: PanelNode }) {
  const { panels } = useAdminTexts()
  const { ago, number } = useFormats()
  const may = useMay()
  const mayWrite = may('nodes:write')
  const test = useConnectionTest()
  const games = (useQuery(eggs).data?.data ?? []).filter(({ nodeId }) => nodeId === node.id)
  return (
    <Page
      title={node.name}
      head={
        <header className="page-head">
          <div>
            <div className="row gap12 wrap">
              <h1>{node.name}</h1>
              <Tag tone={NODE_TONES[node.status]}>{panels.status[node.status]}</Tag>
            </div>
            <div className="sub">{node.url}</div>
          </div>
          <div className="actions">
            <Button
              component="a"
              href={node.url}
              target="_blank"
              rel="noreferrer"
              variant="default"
              rightSection={<I.ArrowUpRight size={16} aria-hidden />}
            >
              {panels.types[node.detectedType ?? node.type]}
            </Button>
          </div>
        </header>
      }
    >
      <div className="grid split">
        <div className="stack">
          <Room nodeId={node.id} />
          {may('services:read') ? <UnownedServers nodeId={node.id} /> : null}
          {mayWrite ? (
            <Card title={panels.edit}>
              <ConnectionForm node={node} done={(saved) => test.run(saved.id)} />
            </Card>
          ) : null}
          <DaemonTokens nodeId={node.id} />
        </div>
        <div className="stack">
          <Card title={panels.statusHead}>
            <div className="stack">
              <Facts
                rows={[
                  [panels.servers, number(node.serviceCount)],
                  [panels.tested, node.testedAt ? ago(node.testedAt) : panels.never],
                ]}
              />
              {mayWrite ? <ConnectionTestCard node={node} test={test} /> : null}
            </div>
          </Card>
          <Card title={panels.eggs.title}>
            <div className="stack">
              <p className="dim">
                {games.length > 0 ? panels.eggsOf(games.length) : panels.noEggs}
              </p>
              <div className="row wrap">
                {mayWrite ? <SyncEggs node={node} /> : null}
                <LinkButton to="/admin/eggs" search={{ node: node.id }} variant="default">
                  {panels.eggs.title}
                </LinkButton>
              </div>
            </div>
          </Card>
          {may('services:read') ? <Compared nodeId={node.id} /> : null}
          {mayWrite ? <Removal node={node} /> : null}
        </div>
      </div>
    </Page>
  )
}

/** The result of the last comparison with the services, such as services without a server. */
function Compared({ nodeId }: { nodeId: string }) {
  const { panels } = useAdminTexts()
  const { ago, number } = useFormats()
  const texts = panels.drift
  const report = useQuery(drift(nodeId)).data?.report
  const found = report
    ? KINDS.flatMap((kind) =>
        report.counts[kind] > 0 ? [[texts.kinds[kind], number(report.counts[kind])] as const] : [],
      )
    : []
  return (
    <Card title={texts.title}>
      <div className="stack">
        {report === null ? <p className="dim">{texts.never}</p> : null}
        {report?.finishedAt ? (
          <p className="dim">{texts.agreeText(report.servers, ago(report.finishedAt))}</p>
        ) : null}
        {found.length > 0 ? <Facts rows={found} /> : null}
        {report?.finishedAt && found.length === 0 && !report.lastError ? (
          <p className="dim">{texts.agree}</p>
        ) : null}
        <div>
          <LinkButton to="/admin/differences" search={{ node: nodeId }} variant="default">
            {texts.title}
          </LinkButton>
        </div>
      </div>
    </Card>
  )
}

const KINDS = [
  ...(['missing', 'unknown', 'orphan', 'imported'] as const),
  ...(['unattached', 'limits', 'suspension', 'owner'] as const),
]

function Removal({ node }: { node: PanelNode }) {
  const { panels } = useAdminTexts()
  const navigate = useNavigate()
  return (
    <div>
      <RemoveButton
        verb={panels.remove}
        title={panels.removeTitle(node.name)}
        call={() => client.DELETE('/v1/admin/nodes/{id}', { params: { path: { id: node.id } } })}
        changes={[['nodes'], ['admin', 'readiness']]}
        told={panels.removed}
        done={() => void navigate({ to: '/admin/panels' })}
      >
        {panels.removeText}
      </RemoveButton>
    </div>
  )
}
