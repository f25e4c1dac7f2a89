// A shared library in place of a version of XGBoost that is too old: it has the
// names of all functions that mete looks up, except XGBoosterFree.
extern "C" {
int XGBGetLastError;
int XGDMatrixCreateFromMat;
int XGDMatrixSetFloatInfo;
int XGDMatrixFree;
int XGBoosterCreate;
int XGBoosterSetParam;
int XGBoosterUpdateOneIter;
int XGBoosterPredictFromDMatrix;
int XGBoosterSaveModelToBuffer;
int XGBoosterFeatureScore;
}
