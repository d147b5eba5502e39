import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Button, Card, I, IconAction, Loaded, Page } from '../../../ui/index.ts'
import { GroupsCard } from './groups.tsx'
import { holds, type Permission, permissions, type Role, roles } from './reads.ts'
import { RoleDialog } from './role-dialog.tsx'
import { StaffCard } from './staff.tsx'

/** The permission matrix of roles, and the permissions of one person. */
export function Roles() {
  const { roles: texts } = useAdminTexts()
  const may = useMay()
  const known = useQuery(roles)
  const all = useQuery(permissions)
  const [editing, edit] = useState<Role | 'new' | null>(null)
  const mayWrite = may('rbac:write')
  return (
    <Page
      wide
      title={texts.title}
      sub={texts.sub}
      actions={
        mayWrite ? (
          <Button leftSection={<I.Plus size={16} aria-hidden />} onClick={() => edit('new')}>
            {texts.add}
          </Button>
        ) : null
      }
    >
      <div className="stack s24">
        <Loaded query={known}>
          {({ data: list }) => (
            <Loaded query={all}>
              {({ data: rights }) => (
                <>
                  <Matrix list={list} rights={rights} edit={mayWrite ? edit : null} />
                  <GroupsCard list={list} />
                  {may('users:read') ? <StaffCard list={list} rights={rights} /> : null}
                  {editing ? (
                    <RoleDialog
                      role={editing === 'new' ? null : editing}
                      rights={rights}
                      close={() => edit(null)}
                    />
                  ) : null}
                </>
              )}
            </Loaded>
          )}
        </Loaded>
      </div>
    </Page>
  )
}

type MatrixProps = {
  readonly list: readonly Role[]
  readonly rights: readonly Permission[]
  readonly edit: ((role: Role) => void) | null
}

function Matrix({ list, rights, edit }: MatrixProps) {
  const { roles: texts } = useAdminTexts()
  return (
    <Card flush>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keys. */}
      <section className="matrix" tabIndex={0} aria-label={texts.matrix}>
        <table className="table">
          <caption className="sr">{texts.matrix}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.rights}</th>
              {list.map((role) => (
                <th key={role.id} scope="col">
                  <span className="row">
                    {role.name}
                    {edit && !role.system ? (
                      <IconAction
                        label={texts.edit(role.name)}
                        icon={I.Edit}
                        variant="subtle"
                        size="sm"
                        onClick={() => edit(role)}
                      />
                    ) : null}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rights.map(({ key, description }) => (
              <tr key={key}>
                <th scope="row" className="left">
                  <span className="mono">{key}</span>
                  <span className="sub block">{description}</span>
                </th>
                {list.map((role) => (
                  <td key={role.id}>
                    {holds(role.permissions, key) ? (
                      <>
                        <I.Check size={16} stroke={2.2} aria-hidden />
                        <span className="sr">{texts.holds(role.name, key)}</span>
                      </>
                    ) : (
                      <span className="dim" aria-hidden>
                        –
                      </span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  )
}
