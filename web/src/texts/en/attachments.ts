export const attachments = {
  attach: 'Attach files',
  hint: (count: number, size: string) =>
    `Up to ${count} files of ${size} each. You can also drop files here or paste a screenshot.`,
  list: 'Files of this message',
  shown: 'Attached files',
  sending: 'Uploading',
  stored: 'Uploaded',
  tooLarge: (size: string) => `Larger than ${size}`,
  retry: (name: string) => `Upload ${name} again`,
  remove: (name: string) => `Remove ${name}`,
  tooMany: (count: number) => `A message has at most ${count} files.`,
  tooHeavy: (size: string) => `The files of a message may have at most ${size} in total.`,
  blocked: 'Cannot be downloaded: files of this kind can run programs.',
  willBlock: 'The recipient cannot download files of this kind. Put it in an archive.',
  open: 'Open',
  download: 'Download',
  progress: (done: number, all: number) => `${done} of ${all} files uploaded`,
}
