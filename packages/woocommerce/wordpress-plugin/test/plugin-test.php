<?php
/** @return string[] Every PHP file that goes to the shop. */
function plugin_files(): array {
	$files = array();
	foreach ( new RecursiveIteratorIterator( new RecursiveDirectoryIterator( dirname( __DIR__ ) . '/tillkit-checkout', FilesystemIterator::SKIP_DOTS ) ) as $file ) {
		if ( 'php' === $file->getExtension() ) {
			$files[] = $file->getPathname();
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
	'Every file of the plugin is loaded, and does nothing when it is opened by its address',
	static function (): void {
		foreach ( plugin_files() as $file ) {
			$guard = 'uninstall.php' === basename( $file ) ? "defined( 'WP_UNINSTALL_PLUGIN' ) || exit;" : "defined( 'ABSPATH' ) || exit;";
			says( $guard, file_get_contents( $file ) );
			if ( ! in_array( basename( $file ), array( 'uninstall.php' ), true ) ) {
				holds( in_array( realpath( $file ), get_included_files(), true ) || 'class-tillkit-blocks-method.php' === basename( $file ), "$file is loaded;" );
			}
		}
	}
);

test(
	'Deleting the plugin removes settings, secrets and what it remembered, and nothing of the orders',
	static function (): void {
		place_order( array( 'meta' => array( '_tillkit_payment_id' => 'payment-a' ) ) );
		update_option( 'tillkit_lock_1042', '1764000000 00' );
		set_transient( 'tillkit_wait_1042', 'waiting', 30 );
		update_option( 'tillkitXlock_of_another_plugin', 'stays' );
		uninstall_plugin();
		$state = Shop_State::read();
		same( array( 'permalink_structure', 'tillkitXlock_of_another_plugin' ), array_keys( $state['options'] ) );
		same( array( '_tillkit_payment_id' => 'payment-a' ), $state['orders'][1042]['meta'] );
	}
);

test(
	'In a network of shops every one of them forgets',
	static function (): void {
		Stubs::$sites = array( 1, 2 );
		switch_to_blog( 2 );
		update_option( 'tillkit_link_secrets', array( 'current' => SECRET ) );
		update_option( 'blogname', 'stays' );
		restore_current_blog();
		uninstall_plugin();
		same( false, get_option( 'tillkit_link_secrets' ) );
		switch_to_blog( 2 );
		same( false, get_option( 'tillkit_link_secrets' ) );
		same( 'stays', get_option( 'blogname' ) );
	}
);

test(
	'The header, the constant and readme.txt tell one version',
	static function (): void {
		$folder = dirname( __DIR__ ) . '/tillkit-checkout';
		$main   = file_get_contents( "$folder/tillkit-checkout.php" );
		says( ' * Version: ' . TILLKIT_VERSION . "\n", $main );
		says( 'Stable tag: ' . TILLKIT_VERSION . "\n", file_get_contents( "$folder/readme.txt" ) );
	}
);

test(
	'Without WooCommerce the plugin says what it needs, to those who can do something about it',
	static function (): void {
		says( 'needs WooCommerce 8.2 or newer', output_of( 'tillkit_ask_for_woocommerce' ) );
		Stubs::$capabilities = array();
		same( '', output_of( 'tillkit_ask_for_woocommerce' ) );
	}
);

test(
	'The plugins page has a link to the settings',
	static function (): void {
		$links = apply_filters( 'plugin_action_links_tillkit-checkout/tillkit-checkout.php', array( 'deactivate' ) );
		says( 'page=wc-settings&#038;tab=checkout&#038;section=tillkit', $links[0] );
		same( 'deactivate', $links[1] );
	}
);
