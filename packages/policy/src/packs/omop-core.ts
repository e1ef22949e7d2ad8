// The tables that OMOP 5.3 and 5.4 share, in the notation of parse-pack.ts. Bounds are those of clinical
// sense, never of data: a value beyond them is an error of entry in any hospital. Measured values have none,
// because they depend on what was measured: a question clamps them.

/** Tables about persons. */
export const omopPersons = `
person | person_id | person_id
  person_id! gender_concept_id! year_of_birth!:integer:1875..2035 month_of_birth:integer:1..12
  day_of_birth:integer:1..31 birth_datetime:1875-01-01..2035-12-31 race_concept_id! ethnicity_concept_id!
  location_id provider_id care_site_id person_source_value:deny gender_source_value gender_source_concept_id
  race_source_value race_source_concept_id ethnicity_source_value ethnicity_source_concept_id
observation_period | person_id | observation_period_id
  observation_period_id! person_id! observation_period_start_date! observation_period_end_date!
  period_type_concept_id!
condition_occurrence | person_id | condition_occurrence_id
  condition_occurrence_id! person_id! condition_concept_id! condition_start_date! condition_start_datetime
  condition_end_date condition_end_datetime condition_type_concept_id! condition_status_concept_id
  stop_reason:text provider_id visit_occurrence_id visit_detail_id condition_source_value
  condition_source_concept_id condition_status_source_value
drug_exposure | person_id | drug_exposure_id
  drug_exposure_id! person_id! drug_concept_id! drug_exposure_start_date! drug_exposure_start_datetime
  drug_exposure_end_date! drug_exposure_end_datetime verbatim_end_date drug_type_concept_id!
  stop_reason:text
  refills:integer:0..24 quantity:float:0..1000:=0.01 days_supply:integer:0..365 sig:text:free
  route_concept_id
  lot_number:text:free provider_id visit_occurrence_id visit_detail_id drug_source_value
  drug_source_concept_id
  route_source_value dose_unit_source_value
death | person_id
  person_id! death_date! death_datetime death_type_concept_id cause_concept_id cause_source_value
  cause_source_concept_id
note_nlp | note_id -> note.note_id -> person_id | note_nlp_id
  note_nlp_id! note_id! section_concept_id snippet:text:free:deny offset:text:free
  lexical_variant!:text:free:deny
  note_nlp_concept_id note_nlp_source_concept_id nlp_system:text nlp_date! nlp_datetime term_exists:text
  term_temporal:text term_modifiers:text:free:deny
specimen | person_id | specimen_id
  specimen_id! person_id! specimen_concept_id! specimen_type_concept_id! specimen_date! specimen_datetime
  quantity:float:0..1000:=0.01 unit_concept_id anatomic_site_concept_id disease_status_concept_id
  specimen_source_id:text:deny specimen_source_value unit_source_value anatomic_site_source_value
  disease_status_source_value
payer_plan_period | person_id | payer_plan_period_id
  payer_plan_period_id! person_id! payer_plan_period_start_date! payer_plan_period_end_date!
  payer_concept_id
  payer_source_value payer_source_concept_id plan_concept_id plan_source_value plan_source_concept_id
  sponsor_concept_id sponsor_source_value sponsor_source_concept_id family_source_value:deny
  stop_reason_concept_id stop_reason_source_value stop_reason_source_concept_id
drug_era | person_id | drug_era_id
  drug_era_id! person_id! drug_concept_id! drug_era_start_date! drug_era_end_date!
  drug_exposure_count:integer:0..1000 gap_days:integer:0..3650
dose_era | person_id | dose_era_id
  dose_era_id! person_id! drug_concept_id! unit_concept_id! dose_value!:float dose_era_start_date!
  dose_era_end_date!
condition_era | person_id | condition_era_id
  condition_era_id! person_id! condition_concept_id! condition_era_start_date! condition_era_end_date!
  condition_occurrence_count:integer:0..1000
cohort | subject_id
  cohort_definition_id! subject_id!:>person.person_id cohort_start_date! cohort_end_date!
`

/** Tables that are kept back unless the owner says whose their rows are. */
export const omopWithheld = `
fact_relationship | withheld: one row can link two persons, such as a mother and her child
  domain_concept_id_1! fact_id_1!:integer domain_concept_id_2! fact_id_2!:integer relationship_concept_id!
cost | withheld: the table that a cost belongs to, and so the way to the person, differs from row to row
  cost_id! cost_event_id! cost_domain_id!:text cost_type_concept_id! currency_concept_id total_charge:float
  total_cost:float total_paid:float paid_by_payer:float paid_by_patient:float paid_patient_copay:float
  paid_patient_coinsurance:float paid_patient_deductible:float paid_by_primary:float
  paid_ingredient_cost:float
  paid_dispensing_fee:float payer_plan_period_id amount_allowed:float revenue_code_concept_id
  revenue_code_source_value drg_concept_id drg_source_value
care_site | withheld: a site with few patients tells about them; unit: public opens it | care_site_id
  care_site_id! care_site_name:text:deny place_of_service_concept_id location_id care_site_source_value:deny
  place_of_service_source_value
provider | withheld: providers are persons too; unit: public opens it | provider_id
  provider_id! provider_name:text:deny npi:text:deny dea:text:deny specialty_concept_id care_site_id
  year_of_birth:integer:1875..2035 gender_concept_id provider_source_value:deny specialty_source_value
  specialty_source_concept_id gender_source_value gender_source_concept_id
`

/** The vocabularies, and what is said about the dataset as a whole. */
export const omopPublic = `
concept | public | concept_id
  concept_id! concept_name!:text domain_id!:text vocabulary_id!:text concept_class_id!:text
  standard_concept:text concept_code!:text valid_start_date! valid_end_date! invalid_reason:text
vocabulary | public | vocabulary_id
  vocabulary_id!:text vocabulary_name!:text vocabulary_reference:text vocabulary_version:text
  vocabulary_concept_id!
domain | public | domain_id
  domain_id!:text domain_name!:text domain_concept_id!
concept_class | public | concept_class_id
  concept_class_id!:text concept_class_name!:text concept_class_concept_id!
concept_relationship | public
  concept_id_1! concept_id_2! relationship_id!:text valid_start_date! valid_end_date! invalid_reason:text
relationship | public | relationship_id
  relationship_id!:text relationship_name!:text is_hierarchical!:text defines_ancestry!:text
  reverse_relationship_id!:text relationship_concept_id!
concept_synonym | public
  concept_id! concept_synonym_name!:text language_concept_id!
concept_ancestor | public
  ancestor_concept_id! descendant_concept_id! min_levels_of_separation!:integer
  max_levels_of_separation!:integer
source_to_concept_map | public
  source_code!:text source_concept_id! source_vocabulary_id!:text source_code_description:text
  target_concept_id! target_vocabulary_id!:text valid_start_date! valid_end_date! invalid_reason:text
drug_strength | public
  drug_concept_id! ingredient_concept_id! amount_value:float amount_unit_concept_id numerator_value:float
  numerator_unit_concept_id denominator_value:float denominator_unit_concept_id box_size:integer
  valid_start_date! valid_end_date! invalid_reason:text
cohort_definition | public
  cohort_definition_id! cohort_definition_name!:text cohort_definition_description:text
  definition_type_concept_id! cohort_definition_syntax:text subject_concept_id! cohort_initiation_date
`
