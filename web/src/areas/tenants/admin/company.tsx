import { useAdminTexts } from '../../../texts/admin.tsx'
import { Page } from '../../../ui/index.ts'
import { SellerForm } from './seller.tsx'
import { TaxRatesCard } from './tax-rates-card.tsx'

/** The page of the seller, outside of the first run. */
export function Company() {
  const { settings: texts } = useAdminTexts()
  return (
    <Page title={texts.company} sub={texts.companyText}>
      <div className="stack s24 form-page">
        <SellerForm />
        <TaxRatesCard />
      </div>
    </Page>
  )
}
