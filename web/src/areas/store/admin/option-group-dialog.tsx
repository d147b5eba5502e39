import { useQuery } from '@tanstack/react-query'
import { client } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  FormDialog,
  MultiSelect,
  NumberField,
  RemoveButton,
  TextInput,
  told,
} from '../../../ui/index.ts'
import { type OptionGroup, products } from './reads.ts'

type Props = { readonly group: OptionGroup | null; readonly close: () => void }

function fieldsOf(group: OptionGroup | null) {
  return {
    ...{ name: group?.name ?? '', position: group?.position ?? 0 },
    productIds: (group?.productIds ?? []) as readonly string[],
  }
}

/** The name of a group of options, and the products that it is offered with. */
export function OptionGroupDialog({ group, close }: Props) {
  const { options: texts } = useAdminTexts()
  const known = useQuery(products).data ?? []
  const params = { path: { id: group?.id ?? '' } }
  const form = useForm({
    name: `option-group:${group?.id ?? 'new'}`,
    saved: fieldsOf(group),
    call: ({ name, position, productIds }, intent) => {
      const body = { name: name.trim(), position, productIds: [...productIds] }
      return group
        ? client.PATCH('/v1/admin/option-groups/{id}', { params, body, ...intent })
        : client.POST('/v1/admin/option-groups', { body, ...intent })
    },
    edits: group && {
      ...{ read: () => client.GET('/v1/admin/option-groups/{id}', { params }), fieldsOf },
    },
    changes: [['options'], ['products']],
    done: () => {
      told(texts.savedGroup)
      close()
    },
  })
  const { fields, set, text, errors } = form
  return (
    <FormDialog
      title={group ? group.name : texts.add}
      form={form}
      close={close}
      save={texts.save}
      removal={
        group ? (
          <RemoveButton
            verb={texts.archive}
            title={texts.archiveTitle(group.name)}
            call={() => client.DELETE('/v1/admin/option-groups/{id}', { params })}
            changes={[['options'], ['products']]}
            told={texts.archivedTold}
            done={close}
          >
            {texts.archiveText}
          </RemoveButton>
        ) : null
      }
    >
      <TextInput {...text('name')} label={texts.name} required data-autofocus />
      <MultiSelect
        label={texts.offeredWith}
        description={texts.offeredWithHint}
        searchable
        value={[...fields.productIds]}
        error={errors.productIds}
        data={known.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(productIds) => set({ productIds })}
      />
      <NumberField
        name="position"
        label={texts.position}
        description={texts.positionHint}
        value={fields.position}
        error={errors.position}
        change={(position) => set({ position: position ?? 0 })}
      />
    </FormDialog>
  )
}
