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
import { eggs, node as nodeRead, type PanelNode } from './reads.ts'
import { NODE_TONES } from './status.ts'
import { DaemonTokens } from './tokens.tsx'

export function Panel() {
  const { id = '' } = useParams({ strict: false })
  return <Loaded query={useQuery(nodeRead(id))}>{(it) => <Shown node={it} />}</Loaded>
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
          {may('services:read') ? (
            <Card title={panels.drift.title}>
              <LinkButton to="/admin/differences" search={{ node: node.id }} variant="default">
                {panels.drift.title}
              </LinkButton>
            </Card>
          ) : null}
          {mayWrite ? <Removal node={node} /> : null}
        </div>
      </div>
    </Page>
  )
}

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
