import { client } from '../../../api/client.ts'
import { orNull, useForm } from '../../../api/forms.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Checkbox, FormDialog, RemoveButton, TextInput, told } from '../../../ui/index.ts'
import { holds, type Permission, type Role } from './reads.ts'

type Props = {
  readonly role: Role | null
  readonly rights: readonly Permission[]
  readonly close: () => void
}

/** A role and its permissions. People can grant only permissions that they have. */
export function RoleDialog({ role, rights, close }: Props) {
  const { roles: texts } = useAdminTexts()
  const may = useMay()
  const params = { path: { id: role?.id ?? '' } }
  const heldBy = (it: Role | null) =>
    rights.map(({ key }) => key).filter((key) => holds(it?.permissions ?? [], key))
  const fieldsOf = (it: Role | null) => ({
    ...{ name: it?.name ?? '', description: it?.description ?? '', permissions: heldBy(it) },
  })
  const form = useForm({
    name: `role:${role?.id ?? 'new'}`,
    saved: fieldsOf(role),
    call: ({ name, description, permissions }, intent) => {
      const body = { name: name.trim(), description: orNull(description), permissions }
      return role
        ? client.PATCH('/v1/admin/rbac/roles/{id}', { params, body, ...intent })
        : client.POST('/v1/admin/rbac/roles', { body, ...intent })
    },
    edits: role && { read: () => client.GET('/v1/admin/rbac/roles/{id}', { params }), fieldsOf },
    changes: [['roles'], ['me']],
    done: () => {
      told(texts.saved)
      close()
    },
  })
  const { fields, set, text } = form
  const areas = [...new Set(rights.map(({ key }) => key.split(':')[0] ?? ''))]
  const toggle = (key: string, isOn: boolean) =>
    set({
      permissions: isOn
        ? [...fields.permissions, key]
        : fields.permissions.filter((it) => it !== key),
    })
  return (
    <FormDialog
      atSide
      title={role ? role.name : texts.add}
      form={form}
      close={close}
      save={texts.save}
      removal={role ? <Removal role={role} close={close} /> : null}
    >
      <TextInput {...text('name')} label={texts.name} required data-autofocus />
      <TextInput {...text('description')} label={texts.description} />
      <p className="sub">{texts.onlyOwn}</p>
      {areas.map((area) => (
        <fieldset key={area} className="plain stack s8">
          <legend className="legend-label mono">{area}</legend>
          {rights
            .filter(({ key }) => key.startsWith(`${area}:`))
            .map(({ key, description }) => (
              <Checkbox
                key={key}
                label={<span className="mono">{key}</span>}
                description={description}
                checked={fields.permissions.includes(key)}
                disabled={!may(key) && !fields.permissions.includes(key)}
                onChange={(event) => toggle(key, event.currentTarget.checked)}
              />
            ))}
        </fieldset>
      ))}
    </FormDialog>
  )
}

function Removal({ role, close }: { role: Role; close: () => void }) {
  const { roles: texts } = useAdminTexts()
  return (
    <RemoveButton
      verb={texts.remove}
      title={texts.removeTitle(role.name)}
      call={() => client.DELETE('/v1/admin/rbac/roles/{id}', { params: { path: { id: role.id } } })}
      changes={[['roles']]}
      told={texts.removed}
      done={close}
    >
      {texts.removeText}
    </RemoveButton>
  )
}
