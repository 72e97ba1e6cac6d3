import '../../elements.js';
import { startSettings } from './settings.js';

startSettings();
