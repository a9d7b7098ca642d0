<?php
/** The order list: a column and a filter for orders whose money waits for a decision of the owner. */

defined( '_PS_VERSION_' ) || exit;

/** @param object $definition Of the grid. */
function tillkit_add_decision_column( $definition ): void {
	// The class has moved between versions of the shop.
	$types  = 'PrestaShop\PrestaShop\Core\Grid\Column\Type\\';
	$class  = class_exists( $types . 'DataColumn' ) ? $types . 'DataColumn' : $types . 'Common\DataColumn';
	$column = ( new $class( 'tillkit' ) )->setName( tillkit_text( 'Tillkit payment' ) )->setOptions( array( 'field' => 'tillkit' ) );
	$definition->getColumns()->addAfter( 'osname', $column );
	$choices = array( tillkit_text( 'Your decision' ) => 'decide' );
	$filter  = new PrestaShop\PrestaShop\Core\Grid\Filter\Filter( 'tillkit', Symfony\Component\Form\Extension\Core\Type\ChoiceType::class );
	$filter->setTypeOptions( array( 'choices' => $choices, 'required' => false, 'choice_translation_domain' => false ) )->setAssociatedColumn( 'tillkit' );
	$definition->getFilters()->add( $filter );
}

/**
 * Each order of a cart shows the mark.
 *
 * @param object $search Doctrine's query of the list. @param object $count Its query of the number of rows.
 */
function tillkit_query_decisions( $search, $count, array $filters ): void {
	foreach ( array( $search, $count ) as $query ) {
		$query->leftJoin( 'o', _DB_PREFIX_ . 'tillkit_order', 'tillkit', 'tillkit.id_cart = o.id_cart' );
		if ( 'decide' === ( $filters['tillkit'] ?? '' ) ) {
			$query->andWhere( "tillkit.decision <> ''" );
		}
	}
	$search->addSelect( "CASE WHEN tillkit.decision <> '' THEN :tillkit_mark ELSE '' END AS tillkit" );
	$search->setParameter( 'tillkit_mark', tillkit_text( 'Your decision' ) );
}
