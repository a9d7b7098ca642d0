<?php
/** What only this shop can be asked: why shoppers may not see the payment method, or cannot pay. */

defined( '_PS_VERSION_' ) || exit;

/** @return array<int,array{ok:bool,about:string,text:string}> */
function tillkit_doctor_results(): array {
	$shop     = tillkit_host()->shop_id();
	$is_open  = (bool) Configuration::get( 'PS_SHOP_ENABLE', null, null, $shop );
	$closed   = tillkit_text( 'The shop is in maintenance: shoppers cannot pay, and payments that arrive are recorded. Open it under Shop Parameters, General, Maintenance.' );
	$results  = array( tillkit_health_result( $is_open, tillkit_text( 'Maintenance' ), $is_open ? tillkit_text( 'The shop is open.' ) : $closed ) );
	$results  = array_merge( $results, tillkit_missing_rows_results( $shop ), tillkit_fraction_results() );
	$has_file = ! Configuration::get( 'PS_REWRITING_SETTINGS', null, null, $shop ) || false === stripos( (string) ( $_SERVER['SERVER_SOFTWARE'] ?? '' ), 'apache' ) || is_file( _PS_ROOT_DIR_ . '/.htaccess' );
	if ( ! $has_file ) {
		$results[] = tillkit_health_result( false, tillkit_text( 'Friendly URLs' ), tillkit_text( 'Friendly URLs are on and the file .htaccess is missing: shoppers do not find the way back. Save Shop Parameters, Traffic & SEO once.' ) );
	}
	// Before 5.7.5 MySQL frees the lock of a connection that takes a second one.
	$version = (string) tillkit_select( 'SELECT VERSION() AS version' )[0]['version'];
	if ( false === stripos( $version, 'mariadb' ) && version_compare( $version, '5.7.5', '<' ) ) {
		$results[] = tillkit_health_result( false, tillkit_text( 'Database' ), tillkit_text( 'Update MySQL to 5.7.5 or newer: an older one cannot lock an order while its invoice is numbered.' ) );
	}
	return $results;
}

/** Amounts with a fraction that nobody can pay, in any currency of the shop. */
function tillkit_fraction_results(): array {
	$results = array();
	foreach ( tillkit_select( 'SELECT `iso_code`, `precision` FROM `' . _DB_PREFIX_ . 'currency` WHERE `active` = 1 AND `deleted` = 0' ) as $row ) {
		$most = TILLKIT_MAX_DECIMALS[ $row['iso_code'] ] ?? null;
		if ( null !== $most && (int) $row['precision'] > $most ) {
			/* translators: 1: a currency's code, 2: a number of decimals */
			$text      = tillkit_text( 'Set the decimals of %1$s to %2$d under International, Localization, Currencies: such a fraction cannot be paid, and shoppers do not see the payment method.' );
			$results[] = tillkit_health_result( false, tillkit_text( 'Decimals' ), sprintf( $text, $row['iso_code'], $most ) );
		}
	}
	return $results;
}

/** The shop lists what a payment module is allowed for when the module is installed. What is added later is not in the lists, and the method stays away. */
function tillkit_missing_rows_results( int $shop ): array {
	$module = (int) tillkit_host()->module()->id;
	$lists  = array(
		// Table of the module, its column, and what the shop has.
		tillkit_text( 'Currencies' ) => array( 'module_currency', 'id_currency', 'SELECT `id_currency` AS `id`, `iso_code` AS `name` FROM `' . _DB_PREFIX_ . 'currency` WHERE `active` = 1 AND `deleted` = 0' ),
		tillkit_text( 'Countries' )  => array( 'module_country', 'id_country', 'SELECT `id_country` AS `id`, `iso_code` AS `name` FROM `' . _DB_PREFIX_ . 'country` WHERE `active` = 1' ),
		tillkit_text( 'Carriers' )   => array( 'module_carrier', 'id_reference', 'SELECT `id_reference` AS `id`, `name` FROM `' . _DB_PREFIX_ . 'carrier` WHERE `active` = 1 AND `deleted` = 0' ),
		tillkit_text( 'Groups' )     => array( 'module_group', 'id_group', 'SELECT `id_group` AS `id`, `name` FROM `' . _DB_PREFIX_ . 'group_lang` WHERE `id_lang` = ' . (int) Context::getContext()->language->id ),
	);
	$results = array();
	foreach ( $lists as $about => list( $table, $column, $sql ) ) {
		$allowed = array_column( tillkit_select( "SELECT `$column` AS `id` FROM `" . _DB_PREFIX_ . "$table` WHERE `id_module` = $module AND `id_shop` = $shop" ), 'id' );
		$missing = array_diff( array_column( tillkit_select( $sql ), 'name', 'id' ), array() );
		$missing = array_diff_key( $missing, array_flip( $allowed ) );
		/* translators: %s: names, with commas between */
		$text      = tillkit_text( 'The payment method is not allowed for %s. Tick it under Payment, Preferences.' );
		$results[] = tillkit_health_result( array() === $missing, $about, array() === $missing ? tillkit_text( 'The payment method is allowed for all.' ) : sprintf( $text, implode( ', ', array_slice( $missing, 0, 10 ) ) ) );
	}
	return $results;
}

/** The order whose total the checks send. */
function tillkit_newest_order(): ?Tillkit_Order {
	$rows = tillkit_select( 'SELECT t.`id_order` FROM `' . _DB_PREFIX_ . 'tillkit_order` t JOIN `' . _DB_PREFIX_ . 'orders` o ON o.`id_order` = t.`id_order` WHERE o.`total_paid` > 0 AND o.`id_shop` = ' . tillkit_host()->shop_id() . ' ORDER BY t.`id_order` DESC LIMIT 1' );
	return array() === $rows ? null : tillkit_fresh_order( (int) $rows[0]['id_order'] );
}
