import { useAdminTexts } from '../../../texts/admin.tsx'
import { Button, Copy, Once } from '../../../ui/index.ts'

type Props = { readonly secret: string | null; readonly close: () => void }

/** A secret that is shown only once. */
export function SecretOnce({ secret, close }: Props) {
  const { integrations: texts } = useAdminTexts()
  return (
    <Once title={texts.secretTitle} opened={secret !== null} close={close}>
      <p className="dim">{texts.secretOnce}</p>
      <Copy big value={secret ?? ''} label={texts.secret} />
      <div className="row ends">
        <Button onClick={close}>{texts.done}</Button>
      </div>
    </Once>
  )
}
