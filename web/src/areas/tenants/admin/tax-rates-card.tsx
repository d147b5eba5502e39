import { useQuery } from '@tanstack/react-query'
import { client, read } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Button, Card, LinkButton, Loaded, told, useChange, useFormats } from '../../../ui/index.ts'

const rates = read(['tax-rates', 'count'], (signal) =>
  client.GET('/v1/admin/tax-rates', { params: { query: { limit: 100 } }, signal }),
)

/** Whether the tax rates of other countries are entered. */
export function TaxRatesCard() {
  const { setup } = useAdminTexts()
  const { date } = useFormats()
  const may = useMay()
  const texts = setup.seller
  const importing = useChange(
    (_: null, intent) => client.POST('/v1/admin/tax-rates/import-eu', intent),
    {
      changes: [['tax-rates'], ['admin', 'readiness']],
      done: ({ created, updated, unchanged, asOf }) =>
        told(texts.ratesImported(created + updated + unchanged, date(asOf))),
    },
  )
  const query = useQuery({ ...rates, enabled: may('store:read') })
  if (!may('store:read')) return null
  return (
    <Card title={texts.rates}>
      <Loaded query={query} waiting="…">
        {({ data }) => {
          const count = new Set(data.map(({ country }) => country)).size
          return (
            <div className="stack">
              <p className="dim">{count > 0 ? texts.ratesCount(count) : texts.ratesNone}</p>
              <div className="row wrap">
                {may('store:write') ? (
                  <Button
                    variant="default"
                    loading={importing.isPending}
                    onClick={() => importing.mutate(null)}
                  >
                    {texts.importRates}
                  </Button>
                ) : null}
                {count > 0 ? (
                  <LinkButton to="/admin/tax-rates" variant="default">
                    {texts.rates}
                  </LinkButton>
                ) : null}
              </div>
            </div>
          )
        }}
      </Loaded>
    </Card>
  )
}
