export const attachments = {
  attach: 'Joindre des fichiers',
  hint: (count: number, size: string) =>
    `Jusqu’à ${count} fichiers de ${size} chacun. Vous pouvez aussi déposer des fichiers ici ou coller une capture d’écran.`,
  list: 'Fichiers de ce message',
  shown: 'Fichiers joints',
  sending: 'Envoi en cours',
  stored: 'Envoyé',
  tooLarge: (size: string) => `Dépasse ${size}`,
  retry: (name: string) => `Envoyer de nouveau ${name}`,
  remove: (name: string) => `Retirer ${name}`,
  tooMany: (count: number) => `Un message contient ${count} fichiers au plus.`,
  tooHeavy: (size: string) => `Les fichiers d’un message ne peuvent dépasser ${size} au total.`,
  blocked: 'Téléchargement impossible : les fichiers de ce type peuvent exécuter des programmes.',
  willBlock:
    'Le destinataire ne peut pas télécharger les fichiers de ce type. Placez-le dans une archive.',
  open: 'Ouvrir',
  download: 'Télécharger',
  progress: (done: number, all: number) => `${done} fichiers envoyés sur ${all}`,
}
