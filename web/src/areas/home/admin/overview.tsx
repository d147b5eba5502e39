import { useAdminTexts } from '../../../texts/admin.tsx'
import { Page } from '../../../ui/index.ts'

/** What needs the host, and how the shop goes. */
export function Overview() {
  const { shell } = useAdminTexts()
  return (
    <Page wide title={shell.overview}>
      {null}
    </Page>
  )
}
