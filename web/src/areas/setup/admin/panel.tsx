import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { nodes } from '../../../api/admin-reads.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Card, Loaded } from '../../../ui/index.ts'
import {
  ConnectionForm,
  ConnectionTestCard,
  eggs,
  type PanelNode,
  SyncEggs,
  useConnectionTest,
} from '../../panel/admin/index.ts'
import { StepFrame } from './frame.tsx'

/** The panel: its connection, its connection test, and the sync of its games. */
export function PanelStep() {
  return (
    <StepFrame step="panel">
      <Loaded query={useQuery(nodes)}>{({ data }) => <Connect known={data[0] ?? null} />}</Loaded>
    </StepFrame>
  )
}

function Connect({ known }: { known: PanelNode | null }) {
  const { panels } = useAdminTexts()
  const [node, setNode] = useState(known)
  const test = useConnectionTest()
  const games = useQuery(eggs).data?.data.length ?? 0
  return (
    <>
      <Card title={node ? node.name : panels.add}>
        <ConnectionForm
          key={node?.id ?? 'new'}
          node={node}
          done={(saved) => {
            setNode(saved)
            test.run(saved.id)
          }}
        />
      </Card>
      {node ? (
        <Card title={panels.test}>
          <ConnectionTestCard node={node} test={test} />
        </Card>
      ) : null}
      {node && (node.status === 'ok' || test.found?.test.ok) ? (
        <Card title={panels.eggs.title}>
          <div className="stack">
            <p className="dim">{games > 0 ? panels.eggsOf(games) : panels.noEggs}</p>
            <div className="row">
              <SyncEggs node={node} />
            </div>
          </div>
        </Card>
      ) : null}
    </>
  )
}
