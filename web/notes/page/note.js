import '../../elements.js';
import { watchFigures } from './figures.js';
import { startReading } from './reading.js';
import { startSettings } from './settings.js';

startSettings();
startReading();
watchFigures();
