import '../../elements.js';
import { startReading } from './reading.js';
import { startSettings } from './settings.js';

startSettings();
startReading();
