import type { Check } from '../../suite/check.ts';
import { accepting } from './accepting.ts';
import { customId } from './custom-id.ts';
import { limits } from './limits.ts';
import { mails } from './mail.ts';
import { refusing } from './refusing.ts';
import { senders } from './senders.ts';
import { tracking } from './tracking.ts';

export const sending: readonly Check[] = [
  ...accepting,
  ...refusing,
  ...senders,
  ...customId,
  ...limits,
  ...mails,
  ...tracking,
];
