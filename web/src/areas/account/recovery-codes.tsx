import { offerFile } from '../../api/downloads.ts'
import { useTexts } from '../../texts/index.tsx'
import { Button, Once } from '../../ui/index.ts'

type CodesProps = { readonly codes: readonly string[] | null; readonly close: () => void }

/** Recovery codes, which are shown only once: to copy or save as a file. */
export function RecoveryCodes({ codes, close }: CodesProps) {
  const { account, common } = useTexts()
  const text = (codes ?? []).join('\n')
  return (
    <Once title={account.recoveryCodes} opened={codes !== null} close={close}>
      <p className="dim">{account.recoveryText}</p>
      <pre className="code">{text}</pre>
      <div className="row ends">
        <Button variant="default" onClick={() => void navigator.clipboard.writeText(text)}>
          {common.copy}
        </Button>
        <Button
          variant="default"
          onClick={() =>
            offerFile('recovery-codes.txt', new Blob([`${text}\n`], { type: 'text/plain' }))
          }
        >
          {account.download}
        </Button>
        <Button onClick={close}>{account.done}</Button>
      </div>
    </Once>
  )
}
