import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { nodes } from '../../../api/admin-reads.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  Card,
  type Column,
  Drawer,
  Empty,
  I,
  Link,
  Loaded,
  Page,
  Table,
  Tag,
  useFormats,
} from '../../../ui/index.ts'
import { ConnectionForm, ConnectionTestCard, useConnectionTest } from './connection.tsx'
import type { PanelNode } from './reads.ts'
import { NODE_TONES } from './status.ts'

/** The panel connections. */
export function Panels() {
  const { panels } = useAdminTexts()
  const mayWrite = useMay()('nodes:write')
  const list = useQuery(nodes)
  const [isAdding, add] = useState(false)
  const [made, setMade] = useState<PanelNode | null>(null)
  const test = useConnectionTest()
  const button = (
    <Button leftSection={<I.Plus size={16} aria-hidden />} onClick={() => add(true)}>
      {panels.add}
    </Button>
  )
  return (
    <Page
      title={panels.title}
      sub={panels.sub}
      actions={mayWrite && (list.data?.data.length ?? 0) > 0 ? button : null}
    >
      <Loaded query={list}>
        {({ data }) =>
          data.length === 0 ? (
            <Card>
              <Empty icon={I.Plug} title={panels.none} action={mayWrite ? button : null}>
                {panels.noneText}
              </Empty>
            </Card>
          ) : (
            <div className="card">
              <Rows rows={data} />
            </div>
          )
        }
      </Loaded>
      <Drawer
        opened={isAdding}
        onClose={() => {
          add(false)
          setMade(null)
        }}
        title={panels.add}
      >
        <div className="stack s24">
          <ConnectionForm
            key={made?.id ?? 'new'}
            node={made}
            done={(node) => {
              setMade(node)
              test.run(node.id)
            }}
          />
          {made ? <ConnectionTestCard node={made} test={test} /> : null}
        </div>
      </Drawer>
    </Page>
  )
}

function Rows({ rows }: { rows: readonly PanelNode[] }) {
  const { panels } = useAdminTexts()
  const { ago, number } = useFormats()
  const columns: readonly Column<PanelNode>[] = [
    {
      head: panels.name,
      cell: ({ id, name }) => (
        <Link to="/admin/panels/$id" params={{ id }} className="rowlink">
          {name}
        </Link>
      ),
    },
    { head: panels.url, small: 'sub', cell: ({ url }) => url },
    {
      ...{ head: panels.type, small: 'hide' },
      cell: ({ detectedType, type }) => panels.types[detectedType ?? type],
    },
    {
      ...{ head: panels.servers, right: true, small: 'hide' },
      cell: ({ serviceCount }) => number(serviceCount),
    },
    {
      ...{ head: panels.tested, small: 'hide' },
      cell: ({ testedAt }) => (testedAt ? ago(testedAt) : panels.never),
    },
    {
      ...{ head: panels.statusHead, small: 'second' },
      cell: ({ status }) => <Tag tone={NODE_TONES[status]}>{panels.status[status]}</Tag>,
    },
  ]
  return (
    <Table links caption={panels.title} rows={rows} columns={columns} rowKey={({ id }) => id} />
  )
}
