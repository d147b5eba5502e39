import { lazy, Suspense } from 'react'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Loading, Page, SegmentedControl, useListAddress } from '../../../ui/index.ts'
import { Differences } from './differences.tsx'
import { Disputes } from './disputes.tsx'
import { Attempts, Received } from './received.tsx'

// Most visits only look at payments; refunds and bank statements have forms of their own, so they are loaded separately.
const Refunds = lazy(async () => ({ default: (await import('./refunds.tsx')).Refunds }))
const bank = () => import('./bank.tsx')
const BankEntries = lazy(async () => ({ default: (await bank()).BankEntries }))
const BankStatements = lazy(async () => ({ default: (await bank()).BankStatements }))
const UploadStatement = lazy(async () => ({ default: (await bank()).UploadStatement }))

const VIEWS = [
  { value: 'received', permission: 'invoices:read', View: Received },
  { value: 'attempts', permission: 'invoices:read', View: Attempts },
  { value: 'disputes', permission: 'invoices:read', View: Disputes },
  { value: 'refunds', permission: 'invoices:read', View: Refunds },
  { value: 'differences', permission: 'gateways:read', View: Differences },
  { value: 'bank', permission: 'invoices:read', View: BankEntries },
  { value: 'statements', permission: 'invoices:read', View: BankStatements },
] as const

/** Received payments and attempts to pay; disputes, refunds, differences and bank transfers as tasks of staff. */
export function Payments() {
  const { payments } = useAdminTexts()
  const may = useMay()
  const { search, set } = useListAddress()
  const open = VIEWS.filter(({ permission }) => may(permission))
  const shown = open.find(({ value }) => value === search.view) ?? open[0]
  const isBank = shown?.value === 'bank' || shown?.value === 'statements'
  return (
    <Page
      wide
      title={payments.title}
      actions={
        isBank && may('invoices:write') && may('gateways:read') ? (
          <Suspense>
            <UploadStatement />
          </Suspense>
        ) : null
      }
    >
      <div className="hscroll tools">
        <SegmentedControl
          aria-label={payments.views}
          value={shown?.value ?? 'received'}
          data={open.map(({ value }) => ({ value, label: payments[value] }))}
          onChange={(value) => set({ view: value, status: undefined, providerId: undefined })}
        />
      </div>
      <Suspense fallback={<Loading />}>{shown ? <shown.View key={shown.value} /> : null}</Suspense>
    </Page>
  )
}
