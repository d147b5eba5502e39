import { useQuery } from '@tanstack/react-query'
import { client } from '../../../api/client.ts'
import { orNull, useForm } from '../../../api/forms.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import { Button, Card, Faulty, Loaded, TextInput, told } from '../../../ui/index.ts'
import { editedShop, type Shop, shop } from './reads.ts'

type Brand = Shop['brand']

/** The sender of mails of the shop. */
export function SenderForm() {
  return <Loaded query={useQuery(shop)}>{({ brand }) => <Form brand={brand} />}</Loaded>
}

function fieldsOf({ senderName, senderAddress }: Brand) {
  return { senderName: senderName ?? '', senderAddress: senderAddress ?? '' }
}

function Form({ brand: saved }: { brand: Brand }) {
  const { brand } = useAdminTexts()
  const { common } = useTexts()
  const may = useMay()
  const form = useForm({
    name: 'sender',
    saved: fieldsOf(saved),
    call: ({ senderName, senderAddress }, intent) =>
      client.PATCH('/v1/admin/shop', {
        body: { brand: { senderName: orNull(senderName), senderAddress: orNull(senderAddress) } },
        ...intent,
      }),
    edits: editedShop((it) => fieldsOf(it.brand)),
    changes: [['shop'], ['admin', 'readiness']],
    done: () => told(common.saved),
  })
  const { text } = form
  return (
    <Card title={brand.sender}>
      <form className="stack form-width" onSubmit={form.submit}>
        <Faulty fault={form.fault} />
        <TextInput {...text('senderName')} label={brand.senderName} autoComplete="off" />
        <TextInput
          {...text('senderAddress')}
          label={brand.senderAddress}
          description={brand.senderHint}
          type="email"
          autoComplete="off"
        />
        {may('shop:write') ? (
          <div className="row">
            <Button type="submit" loading={form.isSaving}>
              {common.save}
            </Button>
          </div>
        ) : null}
      </form>
    </Card>
  )
}
