import { useQuery } from '@tanstack/react-query'
import { client } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import { Button, Card, Faulty, Loaded, Notice, Page, Textarea, told } from '../../../ui/index.ts'
import { BrandForm } from './brand.tsx'
import { FrontPageCard } from './front-page.tsx'
import { editedShop, type Shop, shop } from './reads.ts'
import { SenderForm } from './sender.tsx'

/** Appearance, sender and domains of the shop. */
export function BrandPage() {
  const { brand } = useAdminTexts()
  return (
    <Page title={brand.title} sub={brand.sub}>
      <div className="stack s24">
        <BrandForm />
        <FrontPageCard />
        <SenderForm />
        <Loaded query={useQuery(shop)}>{(it) => <Domains shop={it} />}</Loaded>
      </div>
    </Page>
  )
}

function fieldsOf({ domains, proposedDomains }: Shop) {
  return { domains: [...domains, ...proposedDomains].join('\n') }
}

function Domains({ shop: it }: { shop: Shop }) {
  const { proposedDomains: proposed, url } = it
  const { brand } = useAdminTexts()
  const { common } = useTexts()
  const mayWrite = useMay()('shop:write')
  const form = useForm({
    name: 'domains',
    saved: fieldsOf(it),
    call: (wanted, intent) =>
      client.PATCH('/v1/admin/shop', {
        body: { domains: wanted.domains.split(/[\s,]+/).filter(Boolean) },
        ...intent,
      }),
    edits: editedShop(fieldsOf),
    changes: [['shop'], ['admin', 'readiness']],
    done: () => told(common.saved),
  })
  return (
    <Card title={brand.domains}>
      <form className="stack form-width" onSubmit={form.submit}>
        <Faulty fault={form.fault} />
        <p className="dim">
          {brand.status} <strong>{url}</strong>
        </p>
        {proposed.length > 0 ? (
          <Notice tone="waiting" title={brand.proposed}>
            {proposed.join(', ')}
          </Notice>
        ) : null}
        <Textarea
          {...form.text('domains')}
          label={brand.domains}
          description={`${brand.domainsText} ${brand.domainsHint}`}
          autosize
          minRows={2}
          disabled={!mayWrite}
        />
        {mayWrite ? (
          <div className="row">
            <Button type="submit" loading={form.isSaving} disabled={!form.isChanged}>
              {common.save}
            </Button>
          </div>
        ) : null}
      </form>
    </Card>
  )
}
