<?php
/**
 * Plugin Name: Currency switcher
 * Description: Stands for a plugin that takes orders in another currency and leaves the number of decimals to the shop.
 */

function currency_switcher_order( int $id, string $total ): WC_Order {
	return fake_place_order(
		array(
			'id'       => $id,
			'currency' => 'EUR',
			'total'    => $total,
		)
	);
}

// The shop sells in francs.
add_action(
	'init',
	static function (): void {
		Stubs::$decimals = 0;
	}
);
