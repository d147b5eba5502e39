import { useQuery } from '@tanstack/react-query'
import { client } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Card, Facts, useFormats } from '../../../ui/index.ts'
import { PowerButtons } from '../power.tsx'
import { ServiceTag } from '../status.tsx'
import { type AdminService, liveStatus } from './reads.ts'

const EVERY_MS = 5000

/** The current state of a customer's server, and the buttons that start and stop it. */
export function StaffPower({ service: { id, name, status } }: { service: AdminService }) {
  const { servers } = useAdminTexts()
  const { bytes, number } = useFormats()
  const may = useMay()
  const live = useQuery({ ...liveStatus(id), refetchInterval: EVERY_MS }).data
  return (
    <Card title={servers.now}>
      <div className="stack">
        {live?.available ? (
          <Facts
            rows={[
              [servers.state, <ServiceTag key="state" status={status} power={live.state} />],
              [servers.memory, bytes(live.memoryBytes)],
              [servers.processor, `${number(Math.round(live.cpuPercent))} %`],
              [servers.disk, bytes(live.diskBytes)],
            ]}
          />
        ) : (
          <p className="dim">{servers.notReached}</p>
        )}
        {may('services:power') ? (
          <PowerButtons
            {...{ name, live }}
            call={(action, intent) =>
              client.POST('/v1/admin/services/{id}/power', {
                ...{ params: { path: { id } }, body: { action }, ...intent },
              })
            }
            changes={[['admin', 'services', id, 'status']]}
          />
        ) : null}
      </div>
    </Card>
  )
}
