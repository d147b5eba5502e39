import { useQuery } from '@tanstack/react-query'
import { client } from '../../../api/client.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Drawer, Loaded } from '../../../ui/index.ts'
import { StartupForm } from '../startup.tsx'
import { type AdminService, startup } from './reads.ts'

type DialogProps = {
  readonly service: AdminService
  readonly opened: boolean
  readonly close: () => void
}

/** How the server of a customer starts. */
export function StaffStartup({ service: { id, name }, opened, close }: DialogProps) {
  const { servers } = useAdminTexts()
  const params = { path: { id } }
  const query = useQuery({
    ...startup(id),
    enabled: opened,
    refetchInterval: ({ state }) => (state.data?.change?.state === 'pending' ? 2000 : false),
  })
  return (
    <Drawer opened={opened} onClose={close} title={servers.startupTitle(name)}>
      <Loaded query={query} waiting="…">
        {(found) => (
          <StartupForm
            id={`staff:${id}`}
            startup={found}
            call={(body) => client.POST('/v1/admin/services/{id}/startup', { params, body })}
            changes={[['admin', 'services', id]]}
          />
        )}
      </Loaded>
    </Drawer>
  )
}
