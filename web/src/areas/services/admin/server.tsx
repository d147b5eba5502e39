import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import { ActDialog, Avatar, Card, I, IconAction } from '../../../ui/index.ts'
import { type AdminService, type Member, members } from './reads.ts'

type DialogProps = {
  readonly service: AdminService
  readonly opened: boolean
  readonly close: () => void
}

/** Reinstalls the server of a customer. */
export function ReinstallServer({ service: { id, name }, opened, close }: DialogProps) {
  const { servers } = useAdminTexts()
  return (
    <ActDialog
      isDangerous
      {...{ opened, close }}
      title={servers.reinstallTitle(name)}
      consequence={servers.reinstallText}
      verb={servers.reinstall}
      initial={{}}
      call={(_, intent) =>
        client.POST('/v1/admin/services/{id}/reinstall', { params: { path: { id } }, ...intent })
      }
      changes={[['admin', 'services']]}
      told={servers.reinstalling}
    />
  )
}

/** The people with whom a service is shared; renders nothing if there are none. */
export function Members({ service: { id } }: { service: AdminService }) {
  const { servers } = useAdminTexts()
  const { services } = useTexts()
  const may = useMay()
  const [removing, remove] = useState<Member | null>(null)
  const found = useQuery(members(id)).data?.data ?? []
  const others = found.filter(({ role }) => role === 'member')
  if (others.length === 0) return null
  return (
    <Card title={services.members}>
      <ul className="stack s12">
        {others.map((member) => (
          <li key={member.userId} className="row gap12">
            <Avatar name={member.name} />
            <span className="grow cut">
              {member.name}
              <span className="sub block cut">
                {member.permissions.map((it) => services.permissions[it]).join(', ')}
              </span>
            </span>
            {may('services:write') ? (
              <IconAction
                label={`${services.remove}: ${member.name}`}
                icon={I.Trash}
                onClick={() => remove(member)}
              />
            ) : null}
          </li>
        ))}
      </ul>
      <ActDialog
        isDangerous
        opened={removing !== null}
        close={() => remove(null)}
        title={servers.removeTitle(removing?.name ?? '')}
        consequence={servers.removeText}
        verb={services.remove}
        initial={{}}
        call={() =>
          client.DELETE('/v1/admin/services/{id}/members/{userId}', {
            params: { path: { id, userId: removing?.userId ?? '' } },
          })
        }
        changes={[['admin', 'services', id, 'members']]}
        told={servers.removed}
      />
    </Card>
  )
}
