<?php
/** The plugin as a whole: its files, its version, and what deleting it leaves behind. */

/** @return string[] Every PHP file that goes to the shop: those of the plugin and those of the bridge. */
function plugin_files(): array {
	$files = array();
	foreach ( array( dirname( __DIR__ ) . '/tillkit-checkout', TILLKIT_BRIDGE_FOLDER ) as $folder ) {
		foreach ( new RecursiveIteratorIterator( new RecursiveDirectoryIterator( realpath( $folder ), FilesystemIterator::SKIP_DOTS ) ) as $file ) {
			if ( 'php' === $file->getExtension() ) {
				$files[] = $file->getPathname();
			}
		}
	}
	sort( $files );
	return $files;
}

function uninstall_plugin(): void {
	defined( 'WP_UNINSTALL_PLUGIN' ) || define( 'WP_UNINSTALL_PLUGIN', 'tillkit-checkout/tillkit-checkout.php' );
	require dirname( __DIR__ ) . '/tillkit-checkout/uninstall.php';
}

test(
	'Every file of the plugin is loaded and does nothing when requested directly',
	static function (): void {
		$loaded_on_demand = array( 'class-tillkit-blocks-method.php', 'class-tillkit-decision-email.php' );
		foreach ( plugin_files() as $file ) {
			$name = basename( $file );
			if ( 'uninstall.php' === $name ) {
				assert_contains( "defined( 'WP_UNINSTALL_PLUGIN' ) || exit;", file_get_contents( $file ) );
				continue;
			}
			assert_true( 1 === preg_match( "/^defined\( 'ABSPATH' \) \|\| (?:defined\( '_PS_VERSION_' \) \|\| )?exit;$/m", file_get_contents( $file ) ), "$file has its guard;" );
			if ( ! in_array( $name, $loaded_on_demand, true ) ) {
				assert_true( in_array( realpath( $file ), get_included_files(), true ), "$file is loaded;" );
			}
		}
	}
);

test(
	'Deleting the plugin removes its options and no order data',
	static function (): void {
		place_order( array( 'meta' => array( '_tillkit_payment_id' => 'payment-a' ) ) );
		update_option( 'tillkit_lock_1042', '1764000000 00' );
		set_transient( 'tillkit_wait_1042', 'waiting', 30 );
		update_option( 'tillkitXlock_of_another_plugin', 'stays' );
		uninstall_plugin();
		$state = Shop_State::read();
		assert_same( array( 'permalink_structure', 'home', 'tillkitXlock_of_another_plugin' ), array_keys( $state['options'] ) );
		assert_same( array( '_tillkit_payment_id' => 'payment-a' ), $state['orders'][1042]['meta'] );
	}
);

test(
	'Deleting the plugin in a multisite network removes the options of every site',
	static function (): void {
		Stubs::$sites = array( 1, 2 );
		switch_to_blog( 2 );
		update_option( 'tillkit_link_secrets', array( 'current' => SECRET ) );
		update_option( 'blogname', 'stays' );
		restore_current_blog();
		uninstall_plugin();
		assert_same( false, get_option( 'tillkit_link_secrets' ) );
		switch_to_blog( 2 );
		assert_same( false, get_option( 'tillkit_link_secrets' ) );
		assert_same( 'stays', get_option( 'blogname' ) );
	}
);

test(
	'Header, constant and readme.txt have the same version',
	static function (): void {
		$folder = dirname( __DIR__ ) . '/tillkit-checkout';
		$main   = file_get_contents( "$folder/tillkit-checkout.php" );
		assert_contains( ' * Version: ' . TILLKIT_VERSION . "\n", $main );
		assert_contains( 'Stable tag: ' . TILLKIT_VERSION . "\n", file_get_contents( "$folder/readme.txt" ) );
	}
);

test(
	'Without WooCommerce the plugin shows a notice to users who can activate plugins',
	static function (): void {
		assert_contains( 'needs WooCommerce 8.2 or newer', output_of( 'tillkit_show_woocommerce_notice' ) );
		Stubs::$capabilities = array();
		assert_same( '', output_of( 'tillkit_show_woocommerce_notice' ) );
	}
);

test(
	'The plugins page has a link to the settings',
	static function (): void {
		$links = apply_filters( 'plugin_action_links_tillkit-checkout/tillkit-checkout.php', array( 'deactivate' ) );
		assert_contains( 'page=wc-settings&#038;tab=checkout&#038;section=tillkit', $links[0] );
		assert_same( 'deactivate', $links[1] );
	}
);
