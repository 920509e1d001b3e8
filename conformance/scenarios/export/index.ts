import type { Check } from '../../suite/check.ts';
import { content } from './content.ts';
import { file } from './file.ts';

export const exports: readonly Check[] = [...file, ...content];
