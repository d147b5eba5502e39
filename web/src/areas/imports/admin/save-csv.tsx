import { saveFile } from '../../../api/downloads.ts'
import { Button, I } from '../../../ui/index.ts'

type Props = { readonly file: string; readonly read: () => Parameters<typeof saveFile>[1] }

/** Saves a whole list as CSV. */
export function SaveCsv({ file, read }: Props) {
  return (
    <Button
      variant="default"
      leftSection={<I.Download size={16} stroke={1.75} aria-hidden />}
      onClick={() => void saveFile(file, read())}
    >
      CSV
    </Button>
  )
}
