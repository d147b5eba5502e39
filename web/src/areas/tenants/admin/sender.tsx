import { useQuery } from '@tanstack/react-query'
import { client } from '../../../api/client.ts'
import { orNull, useForm } from '../../../api/forms.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import { Button, Card, Faulty, Loaded, TextInput, told } from '../../../ui/index.ts'
import { shop } from './reads.ts'

type Brand = { readonly senderName: string | null; readonly senderAddress: string | null }

/** The sender of mails of the shop. */
export function SenderForm() {
  return <Loaded query={useQuery(shop)}>{({ brand }) => <Form brand={brand} />}</Loaded>
}

function Form({ brand: saved }: { brand: Brand }) {
  const { brand } = useAdminTexts()
  const { common } = useTexts()
  const may = useMay()
  const form = useForm({
    name: 'sender',
    saved: { senderName: saved.senderName ?? '', senderAddress: saved.senderAddress ?? '' },
    call: ({ senderName, senderAddress }) =>
      client.PATCH('/v1/admin/shop', {
        body: { brand: { senderName: orNull(senderName), senderAddress: orNull(senderAddress) } },
      }),
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
