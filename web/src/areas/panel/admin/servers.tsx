import type { components } from '@moorage/client'
import { lazy, Suspense, useState } from 'react'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import { Button, Card, type Column, Listed, Table, useFormats } from '../../../ui/index.ts'

const Adopt = lazy(async () => ({ default: (await import('./adopt.tsx')).Adopt }))

type PanelServer = components['schemas']['PanelServer']

/** The servers of a panel that belong to no service. Each can be adopted. */
export function UnownedServers({ nodeId }: { nodeId: string }) {
  const { panels } = useAdminTexts()
  const { common } = useTexts()
  const texts = panels.unowned
  const { megabytes } = useFormats()
  const mayWrite = useMay()('services:write')
  const [adopting, adopt] = useState<PanelServer | null>(null)
  const list = useList(['drift', nodeId, 'unowned'], (where, signal) =>
    client.GET('/v1/admin/nodes/{id}/servers', {
      params: { path: { id: nodeId }, query: { unowned: true, ...where } },
      signal,
    }),
  )
  const columns: readonly Column<PanelServer>[] = [
    {
      head: panels.drift.server,
      cell: ({ id, name, externalId }) => (
        <div className="tall">
          {name}
          <span className="sub block">
            {[texts.number(id), externalId].filter(Boolean).join(' · ')}
          </span>
        </div>
      ),
    },
    {
      ...{ head: texts.limits, small: 'sub' },
      cell: ({ memoryMb, diskMb }) =>
        [memoryMb, diskMb]
          .map((it) => (it === 0 ? panels.room.unlimited : megabytes(it)))
          .join(' / '),
    },
    {
      ...{ head: panels.drift.adopt, silent: true, right: true, small: 'second' },
      cell: (it) => {
        if (!it.adoptable) return <span className="sub">{texts.busy}</span>
        if (!mayWrite) return null
        return (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`${panels.drift.adopt}: ${it.name}`}
            onClick={() => adopt(it)}
          >
            {panels.drift.adopt}
          </Button>
        )
      },
    },
  ]
  return (
    <Card title={texts.title} flush>
      <p className="sub pad">{texts.text}</p>
      <Listed
        list={list}
        empty={
          list.hasMore ? (
            <div className="more">
              <Button variant="default" loading={list.isLoadingMore} onClick={list.more}>
                {common.showMore}
              </Button>
            </div>
          ) : (
            <p className="sub pad">{texts.none}</p>
          )
        }
      >
        {(rows) => (
          <Table
            caption={texts.title}
            rows={rows}
            rowKey={({ id }) => String(id)}
            columns={columns}
          />
        )}
      </Listed>
      {adopting ? (
        <Suspense>
          <Adopt nodeId={nodeId} server={adopting} close={() => adopt(null)} />
        </Suspense>
      ) : null}
    </Card>
  )
}
